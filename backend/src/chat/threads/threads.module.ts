/**
 * Conversations as their owner handles them: list, search, read, rename, pin, archive, export, delete and
 * restore; the deletion of old ones, with its preview and notices.
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
import { GuestThreadMigration } from './guest-thread-migration.js';
import { ThreadBatches } from './thread-batches.js';
import { ThreadDeletion } from './thread-deletion.js';
import { ThreadList } from './thread-list.js';
import { ThreadSearch } from './thread-search.js';
import { ThreadTrash } from './thread-trash.js';
import { ThreadsService } from './threads.service.js';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { RetentionNotices } from './retention-notices.js';
import { RetentionSweep } from './retention-sweep.js';
import { SettingsModule } from '../../settings/settings.module.js';

@Module({
  imports: [AlertsModule, FilesModule, GenerationModule, MessagesModule, ProjectsModule, QuotaModule, SettingsModule],
  providers: [
    ConversationExport,
    ConversationReader,
    GuestThreadMigration,
    RetentionNotices,
    RetentionSweep,
    ThreadBatches,
    ThreadDeletion,
    ThreadList,
    ThreadSearch,
    ThreadTrash,
    ThreadsService,
  ],
  exports: [ConversationExport, RetentionSweep, ThreadBatches, ThreadSearch, ThreadsService],
})
export class ThreadsModule {}
