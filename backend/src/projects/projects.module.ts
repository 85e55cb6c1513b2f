/**
 * Projects: chats with shared files and instructions; their members and what each may do; their files, how much there may
 * be, and the search in them.
 * Not here: the threads of a project (`chat/threads`), how an answer uses a project (`chat/generation`), readers of
 * documents (`files`).
 * - `indexing`: the queue of files to read; their texts cut into chunks
 * - `embedding`: vectors of chunks, and the queue of files that wait for them
 * - `search`: finds chunks by words, codes and vectors
 * - `asking`: what an answer gets of the files: all of them, passages, or tools
 * - `demo`: the project of a first start without a provider
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { UsersModule } from '../users/users.module.js';
import { ProjectKnowledge } from './asking/project-knowledge.js';
import { DemoProject } from './demo/demo-project.js';
import { EmbeddingModel } from './embedding/embedding-model.js';
import { EmbeddingQueue } from './embedding/embedding-queue.js';
import { EmbeddingStore } from './embedding/embedding-store.js';
import { EmbeddingsController } from './embedding/embeddings.controller.js';
import { FileIndexer } from './indexing/file-indexer.js';
import { IndexQueue } from './indexing/index-queue.js';
import { WordsRenewal } from './indexing/words-renewal.js';
import { ProjectChanges } from './project-changes.js';
import { ProjectExport } from './project-export.js';
import { ProjectFileStore } from './project-file-store.js';
import { ProjectFilesController } from './project-files.controller.js';
import { ProjectFilesService } from './project-files.service.js';
import { ProjectLeaves } from './project-leaves.js';
import { ProjectLimits } from './project-limits.js';
import { ProjectMembersService } from './project-members.service.js';
import { ProjectStore } from './project-store.js';
import { ProjectEntity } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';
import { MeaningSearch } from './search/meaning-search.js';
import { ProjectSearch } from './search/project-search.js';
import { SearchTurns } from './search/search-turns.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ProjectEntity]),
    FilesModule,
    ModelsModule,
    QuotaModule,
    SettingsModule,
    ToolsModule,
    UsersModule,
  ],
  controllers: [ProjectsController, ProjectFilesController, EmbeddingsController],
  providers: [
    DemoProject,
    EmbeddingModel,
    EmbeddingQueue,
    EmbeddingStore,
    FileIndexer,
    IndexQueue,
    MeaningSearch,
    ProjectChanges,
    ProjectExport,
    ProjectFileStore,
    ProjectFilesService,
    ProjectKnowledge,
    ProjectLeaves,
    ProjectLimits,
    ProjectMembersService,
    ProjectSearch,
    ProjectStore,
    ProjectsService,
    SearchTurns,
    WordsRenewal,
  ],
  exports: [ProjectExport, ProjectKnowledge, ProjectLeaves, ProjectStore, ProjectsService],
})
export class ProjectsModule {}
