import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { FilesModule } from '../files/files.module.js';
import { ConversationImporter } from './conversation-importer.js';
import { ImportRunner } from './import-runner.js';
import { ImportStore } from './import-store.js';
import { ImportSweep } from './import-sweep.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [ChatModule, FilesModule],
  controllers: [ImportsController],
  providers: [ConversationImporter, ImportRunner, ImportsService, ImportStore, ImportSweep],
})
export class ImportsModule {}
