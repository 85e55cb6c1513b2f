/**
 * Transcriptions of audio by a connection: the call that page and API share, and the dictation of the page.
 * Not here: OpenAI's form (`public-api`), the check of audio files (`files`).
 */

import { Module } from '@nestjs/common';
import { GenerationModule } from '../chat/generation/generation.module.js';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { DictationController } from './dictation.controller.js';
import { DictationService } from './dictation.service.js';
import { TranscriptionsService } from './transcriptions.service.js';

@Module({
  imports: [FilesModule, GenerationModule, ModelsModule, SettingsModule],
  controllers: [DictationController],
  providers: [DictationService, TranscriptionsService],
  exports: [TranscriptionsService],
})
export class TranscriptionsModule {}
