import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import { REDIS } from '../platform/redis/redis.js';
import { QuotaModule } from '../quota/quota.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AccountSuspension } from './generation/account-suspension.js';
import { AdmissionControl } from './generation/admission/admission-control.js';
import { GenerationAdmission } from './generation/admission/generation-admission.js';
import { Idempotency } from './generation/admission/idempotency.js';
import { SendRateLimiter } from './generation/admission/send-rate-limiter.js';
import { CallImages } from './generation/call-images.js';
import { DetachedGenerations, DetachedLog } from './generation/detached-generations.js';
import { GenerationMetrics } from './generation/run/generation-metrics.js';
import { ApprovalsService } from './generation/approvals.service.js';
import { GenerationStopper } from './generation/generation-stopper.js';
import { GenerationWaiter } from './generation/generation-waiter.js';
import { GenerationService } from './generation/generation.service.js';
import { GENERATION_LOG } from './generation/log/generation-log.js';
import { InProcessGenerationLog } from './generation/log/in-process-generation-log.js';
import { RedisGenerationLog } from './generation/log/redis-generation-log.js';
import { ChatEvents } from './generation/ports/chat-events.js';
import { OrphanFinalizer } from './generation/ports/orphan-finalizer.js';
import { RunOwnership } from './generation/ports/run-ownership.js';
import { ResumeService } from './generation/resume.service.js';
import { PromptEstimate } from './generation/prompt-estimate.js';
import { PromptSource } from './generation/prompt/prompt-source.js';
import { AnswerSource } from './generation/run/answer-source.js';
import { Checkpointer } from './generation/run/checkpointer.js';
import { GenerationEngine } from './generation/run/generation-engine.js';
import { GenerationFinalizer } from './generation/run/generation-finalizer.js';
import { GenerationSuspender } from './generation/run/generation-suspender.js';
import { LogFlusher } from './generation/run/log-flusher.js';
import { Pricing } from './generation/run/pricing.js';
import { RunRegistry } from './generation/run/run-registry.js';
import { AnswerReader } from './generation/steps/answer-reader.js';
import { CallContext } from './generation/steps/call-context.js';
import { CallJournal } from './generation/steps/call-journal.js';
import { CallPlanner } from './generation/steps/call-planner.js';
import { CallStarter } from './generation/steps/call-starter.js';
import { HostedTools } from './generation/steps/hosted-tools.js';
import { ImageWriter } from './generation/steps/image-writer.js';
import { PartWriter } from './generation/steps/part-writer.js';
import { RunEmitter } from './generation/steps/run-emitter.js';
import { StepBudget } from './generation/steps/step-budget.js';
import { StepLoop } from './generation/steps/step-loop.js';
import { StepReader } from './generation/steps/step-reader.js';
import { ToolCaller } from './generation/steps/tool-caller.js';
import { ApprovalStore } from './generation/store/approval-store.js';
import { GenerationStore } from './generation/store/generation-store.js';
import { ToolCallStore } from './generation/store/tool-call-store.js';
import { ThreadRuns } from './generation/thread-runs.js';
import { TitleWriter } from './generation/title-writer.js';
import { ConversationWriter } from './messages/conversation-writer.js';
import { FeedbackStore } from './messages/feedback-store.js';
import { MessageStore } from './messages/message-store.js';
import { StoredTextQuota } from './messages/stored-text-quota.js';
import { ThreadStore } from './messages/thread-store.js';
import { TrashStore } from './messages/trash-store.js';
import { ApprovalExpiry } from './nodes/approval-expiry.js';
import { NodeHeartbeat } from './nodes/node-heartbeat.js';
import { NodeStore } from './nodes/node-store.js';
import { OrphanHolds } from './nodes/orphan-holds.js';
import { OrphanReaper } from './nodes/orphan-reaper.js';
import { OrphanUsage } from './nodes/orphan-usage.js';
import { VerifiedOwnership } from './nodes/verified-ownership.js';
import { ConversationExport } from './threads/conversation-export.js';
import { ConversationReader } from './threads/conversation-reader.js';
import { FeedbackService } from './threads/feedback.service.js';
import { GuestThreadMigration } from './threads/guest-thread-migration.js';
import { ThreadBatches } from './threads/thread-batches.js';
import { ThreadDeletion } from './threads/thread-deletion.js';
import { ThreadList } from './threads/thread-list.js';
import { ThreadSearch } from './threads/thread-search.js';
import { ThreadTrash } from './threads/thread-trash.js';
import { ThreadsService } from './threads/threads.service.js';
import { ChatController } from './transport/chat.controller.js';
import { ChatGateway } from './transport/chat.gateway.js';
import { FeedbackController } from './transport/feedback.controller.js';
import { ReadLimits } from './transport/read-limits.js';
import { SearchController } from './transport/search.controller.js';
import { SendRateLimitMiddleware } from './transport/send-rate-limit.middleware.js';
import { SocketSessions } from './transport/socket-sessions.js';
import { ThreadsController } from './transport/threads.controller.js';

const messages = [ConversationWriter, FeedbackStore, MessageStore, StoredTextQuota, ThreadStore, TrashStore];

const generation = [
  AccountSuspension,
  AdmissionControl,
  ApprovalStore,
  ApprovalsService,
  CallImages,
  ChatEvents,
  Checkpointer,
  DetachedGenerations,
  DetachedLog,
  GenerationAdmission,
  GenerationEngine,
  GenerationFinalizer,
  GenerationMetrics,
  GenerationService,
  GenerationStopper,
  GenerationStore,
  GenerationSuspender,
  GenerationWaiter,
  Idempotency,
  LogFlusher,
  Pricing,
  PromptEstimate,
  PromptSource,
  ResumeService,
  RunRegistry,
  SendRateLimiter,
  ThreadRuns,
  TitleWriter,
  ToolCallStore,
  {
    provide: GENERATION_LOG,
    inject: [REDIS, TIMINGS],
    useFactory: (redis: RedisClient | null, { logRetention }: Timings) =>
      redis === null ? new InProcessGenerationLog(logRetention) : new RedisGenerationLog(redis, logRetention),
  },
];

const steps = [
  AnswerReader,
  CallContext,
  CallJournal,
  CallPlanner,
  CallStarter,
  HostedTools,
  ImageWriter,
  PartWriter,
  RunEmitter,
  StepBudget,
  StepLoop,
  StepReader,
  ToolCaller,
  { provide: AnswerSource, useExisting: AnswerReader },
];

const nodes = [
  ApprovalExpiry,
  NodeHeartbeat,
  NodeStore,
  OrphanHolds,
  OrphanReaper,
  OrphanUsage,
  VerifiedOwnership,
  { provide: OrphanFinalizer, useExisting: OrphanReaper },
  { provide: RunOwnership, useExisting: VerifiedOwnership },
];

const threads = [
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
];

@Module({
  imports: [AuthModule, FilesModule, ModelsModule, QuotaModule, SettingsModule, ToolsModule],
  controllers: [ChatController, FeedbackController, SearchController, ThreadsController],
  providers: [...messages, ...generation, ...steps, ...nodes, ...threads, ChatGateway, ReadLimits, SocketSessions],
  exports: [ConversationWriter, DetachedGenerations, DetachedLog, StoredTextQuota, ThreadsService],
})
export class ChatModule implements NestModule {
  /** The 24 MB body of this one call is read after the session and the rate limit are checked. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(SendRateLimitMiddleware).forRoutes({ path: 'api/chat/message', method: RequestMethod.POST });
  }
}
