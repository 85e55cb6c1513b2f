/**
 * Conversations as their owner handles them: list, search, read, rename, pin, archive, export, rate, delete and
 * restore.
 * Not here: a new answer (`chat/generation`), SQL of the rows (`chat/messages`).
 */

import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { GenerationModule } from '../generation/generation.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ConversationExport } from './conversation-export.js';
import { ConversationReader } from './conversation-reader.js';
import { FeedbackService } from './feedback.service.js';
import { GuestThreadMigration } from './guest-thread-migration.js';
import { ThreadBatches } from './thread-batches.js';
import { ThreadDeletion } from './thread-deletion.js';
import { ThreadList } from './thread-list.js';
import { ThreadSearch } from './thread-search.js';
import { ThreadTrash } from './thread-trash.js';
import { ThreadsService } from './threads.service.js';

@Module({
  imports: [FilesModule, GenerationModule, MessagesModule, ProjectsModule, QuotaModule],
  providers: [
    ConversationExport,
    ConversationReader,
    FeedbackService,
    GuestThreadMigration,
    ThreadBatches,
    ThreadDeletion,
    ThreadList,
    ThreadSearch,
    ThreadTrash,
    ThreadsService,
  ],
  exports: [FeedbackService, ThreadBatches, ThreadSearch, ThreadsService],
})
export class ThreadsModule {}
