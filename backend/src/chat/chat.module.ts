import { LIMITS } from '@tanya/contract';
import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import express from 'express';
import type { Redis } from 'ioredis';
import { AuthModule } from '../auth/auth.module.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { REDIS } from '../platform/redis.js';
import { QuotaModule } from '../quota/quota.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ChatController } from './chat.controller.js';
import { ChatEvents } from './chat-events.js';
import { ChatGateway } from './chat.gateway.js';
import { ConversationExport } from './conversation-export.js';
import { ConversationService } from './conversation.service.js';
import { GENERATION_LOG } from './generation-log.js';
import { GenerationEngine } from './generation-engine.js';
import { GenerationService } from './generation.service.js';
import { GenerationAdmission } from './generation-admission.js';
import { GenerationCatchUp } from './generation-catch-up.js';
import { GenerationEnding } from './generation-ending.js';
import { GenerationStore } from './generation-store.js';
import { Idempotency } from './idempotency.js';
import { ImageWriter } from './image-writer.js';
import { LocalGenerationLog } from './local-generation-log.js';
import { NodeService } from './node.service.js';
import { RedisGenerationLog } from './redis-generation-log.js';
import { SendGateMiddleware } from './send-gate.middleware.js';
import { SendPace } from './send-pace.js';
import { ThreadStore } from './thread-store.js';
import { ThreadsController } from './threads.controller.js';
import { ThreadsService } from './threads.service.js';
import { TitleWriter } from './title-writer.js';

@Module({
  imports: [AuthModule, FilesModule, ModelsModule, QuotaModule, SettingsModule],
  controllers: [ChatController, ThreadsController],
  providers: [
    ChatEvents,
    ChatGateway,
    ConversationExport,
    ConversationService,
    GenerationEngine,
    GenerationService,
    GenerationStore,
    GenerationAdmission,
    GenerationCatchUp,
    GenerationEnding,
    Idempotency,
    ImageWriter,
    NodeService,
    SendPace,
    ThreadStore,
    ThreadsService,
    TitleWriter,
    {
      provide: GENERATION_LOG,
      inject: [REDIS, TIMINGS],
      useFactory: (redis: Redis | null, { logRetention }: Timings) =>
        redis === null ? new LocalGenerationLog(logRetention) : new RedisGenerationLog(redis, logRetention),
    },
  ],
  exports: [ChatEvents, GenerationEngine, GenerationService, GenerationStore, NodeService],
})
export class ChatModule implements NestModule {
  /** The one large body is read only once the sender is known and within their pace. */
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(SendGateMiddleware, express.json({ limit: LIMITS.messageJsonBytes }))
      .forRoutes({ path: 'api/chat/message', method: RequestMethod.POST });
  }
}
