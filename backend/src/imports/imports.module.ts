/**
 * Imports of conversations from other programs: runs, reports, undo.
 * Not here: how a conversation is written (`chat/messages`).
 * - `reader`: reads an export in a process of its own
 * - `reader/programs`: the parsers of other programs
 */

import { Module } from '@nestjs/common';
import { MessagesModule } from '../chat/messages/messages.module.js';
import { ThreadsModule } from '../chat/threads/threads.module.js';
import { FilesModule } from '../files/files.module.js';
import { ConversationImporter } from './conversation-importer.js';
import { ImportRunner } from './import-runner.js';
import { ImportStore } from './import-store.js';
import { ImportSweep } from './import-sweep.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [FilesModule, MessagesModule, ThreadsModule],
  controllers: [ImportsController],
  providers: [ConversationImporter, ImportRunner, ImportsService, ImportStore, ImportSweep],
})
export class ImportsModule {}
