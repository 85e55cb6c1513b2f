import { LIMITS } from '@tanya/contract';
import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import express from 'express';
import type { Redis } from 'ioredis';
import { AuthModule } from '../auth/auth.module.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { REDIS } from '../platform/redis/redis.js';
import { QuotaModule } from '../quota/quota.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ChatController } from './transport/chat.controller.js';
import { ChatEvents } from './generation/chat-events.js';
import { ChatGateway } from './transport/chat.gateway.js';
import { ConversationExport } from './threads/conversation-export.js';
import { ConversationService } from './generation/conversation.service.js';
import { GENERATION_LOG } from './generation/log/generation-log.js';
import { GenerationEngine } from './generation/generation-engine.js';
import { GenerationService } from './generation/generation.service.js';
import { GenerationAdmission } from './generation/generation-admission.js';
import { ResumeService } from './generation/log/resume.service.js';
import { GenerationFinalizer } from './generation/generation-finalizer.js';
import { GenerationStore } from './generation/generation-store.js';
import { Idempotency } from './generation/idempotency.js';
import { ImageWriter } from './generation/image-writer.js';
import { InProcessGenerationLog } from './generation/log/in-process-generation-log.js';
import { NodeService } from './nodes/node.service.js';
import { RedisGenerationLog } from './generation/log/redis-generation-log.js';
import { SendRateLimitMiddleware } from './transport/send-rate-limit.middleware.js';
import { SendRateLimiter } from './generation/send-rate-limiter.js';
import { ThreadStore } from './messages/thread-store.js';
import { ThreadsController } from './transport/threads.controller.js';
import { ThreadsService } from './threads/threads.service.js';
import { TitleWriter } from './generation/title-writer.js';

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
    ResumeService,
    GenerationFinalizer,
    Idempotency,
    ImageWriter,
    NodeService,
    SendRateLimiter,
    ThreadStore,
    ThreadsService,
    TitleWriter,
    {
      provide: GENERATION_LOG,
      inject: [REDIS, TIMINGS],
      useFactory: (redis: Redis | null, { logRetention }: Timings) =>
        redis === null ? new InProcessGenerationLog(logRetention) : new RedisGenerationLog(redis, logRetention),
    },
  ],
  exports: [ChatEvents, GenerationEngine, GenerationService, GenerationStore, NodeService],
})
export class ChatModule implements NestModule {
  /** The one large body is read only once the sender is known and within their pace. */
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(SendRateLimitMiddleware, express.json({ limit: LIMITS.messageJsonBytes }))
      .forRoutes({ path: 'api/chat/message', method: RequestMethod.POST });
  }
}
