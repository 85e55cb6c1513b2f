/**
 * `/api/v1` for clients of OpenAI and Anthropic: keys, errors, models, embeddings, images, transcriptions.
 * Not here: generations (`chat/generation`), rows of keys (`api-keys`), the description of the API (`api-docs`).
 * - `answers`: what all three APIs share: chat completions become prompts and answers, which are sent as events or whole
 * - `completions`: chat completions: what clients of other APIs send to them, and their events
 * - `messages`: Anthropic's Messages API: its requests as chat completions, its events and errors
 * - `responses`: the Responses API: items, their translation into messages, events; stored responses; streams that
 *   resume
 */

import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { GenerationModule } from '../chat/generation/generation.module.js';
import { MessagesModule } from '../chat/messages/messages.module.js';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UsersModule } from '../users/users.module.js';
import { ApiModels } from './api-models.js';
import { ApiImagesService } from './api-images.service.js';
import { ApiTranscriptions } from './api-transcriptions.service.js';
import { AnswerSender, KeepAlive } from './answers/answer-sender.js';
import { CompletionsController } from './completions/completions.controller.js';
import { AnswersService } from './answers/answers.service.js';
import { EmbeddingsService } from './embeddings.service.js';
import { MessagesController } from './messages/messages.controller.js';
import { RemotePictures } from './answers/remote-pictures.js';
import { QuotaHeaders } from './quota-headers.js';
import { RelayedController } from './relayed.controller.js';
import { TranscriptionsModule } from '../transcriptions/transcriptions.module.js';
import { ResponseExport } from './responses/response-export.js';
import { ResponseExpiry } from './responses/response-expiry.js';
import { ResponseStreams } from './responses/response-streams.js';
import { ResponseSender } from './responses/response-sender.js';
import { ResponseStore } from './responses/response-store.js';
import { ResponsesController } from './responses/responses.controller.js';
import { ResponsesService } from './responses/responses.service.js';

@Module({
  imports: [
    ApiKeysModule,
    FilesModule,
    GenerationModule,
    MessagesModule,
    ModelsModule,
    QuotaModule,
    SettingsModule,
    TranscriptionsModule,
    UsersModule,
  ],
  controllers: [CompletionsController, MessagesController, RelayedController, ResponsesController],
  providers: [
    AnswerSender,
    AnswersService,
    EmbeddingsService,
    ApiImagesService,
    KeepAlive,
    QuotaHeaders,
    RemotePictures,
    ApiModels,
    ApiTranscriptions,
    ResponseExpiry,
    ResponseExport,
    ResponsesService,
    ResponseSender,
    ResponseStore,
    ResponseStreams,
  ],
})
export class PublicApiModule {}
