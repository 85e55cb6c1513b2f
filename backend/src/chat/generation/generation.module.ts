/**
 * The life of an answer, with a thread or without one (public API, image dialog): services that start, stop, await and
 * resume generations; titles. The module also provides `chat/sockets` and `chat/nodes`: services of `chat/nodes` and
 * of this room inject each other. Nothing here depends on HTTP.
 * Not here: rows of threads and messages (`chat/messages`), what an owner does with a conversation (`chat/threads`).
 * - `admission`: limits, idempotency, the admission statement
 * - `prompt`: the prompt of a run: path of messages, files, custom instructions, all within the model's context; summaries
 * - `run`: the engine, the steps of a message and the text for a program: reads the stream of the provider, runs the
 *   calls of tools and stores them
 * - `live`: the runs of this node, what each has written, and when that goes to the log and to checkpoints
 * - `log`: the event log of a running generation, in process or in Redis; packing of its events
 * - `store`: SQL of generations, checkpoints and calls of tools; the stages of a call
 * - `approvals`: calls that wait for a person's decision, from the suspension of their answer until it goes on or ends; the
 *   story is at the head of `approvals.service.ts`
 * - `detached`: answers without a thread: how one is asked for, kept, read again and followed
 * - `end`: how a generation ends: what is kept of it, the statement that stores it, the announcement
 */

import { Module } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { FailuresModule } from '../../failures/failures.module.js';
import { FilesModule } from '../../files/files.module.js';
import { ModelsModule } from '../../models/models.module.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { REDIS } from '../../platform/redis/redis.js';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { SettingsModule } from '../../settings/settings.module.js';
import { ToolsModule } from '../../tools/tools.module.js';
import { ApprovalStore } from './approvals/approval-store.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { RunSuspender } from './approvals/run-suspender.js';
import { SavedAnswers } from './approvals/saved-answers.js';
import { WaitingAnswers } from './approvals/waiting-answers.js';
import { AdmissionControl } from './admission/admission-control.js';
import { AdmissionStore } from './admission/admission-store.js';
import { Idempotency } from './admission/idempotency.js';
import { SendRateLimiter } from './admission/send-rate-limiter.js';
import { CallImages } from './call-images.js';
import { DetachedGenerations } from './detached/detached-generations.js';
import { DetachedLog } from './detached/detached-log.js';
import { GenerationMetrics } from './live/generation-metrics.js';
import { GenerationStopper } from './generation-stopper.js';
import { GenerationWaiter } from './end/generation-waiter.js';
import { GenerationService } from './generation.service.js';
import { GENERATION_LOG } from './log/generation-log.js';
import { InProcessGenerationLog } from './log/in-process-generation-log.js';
import { RedisGenerationLog } from './log/redis-generation-log.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { ResumeService } from './resume.service.js';
import { PromptEstimate } from './prompt-estimate.js';
import { PromptSource } from './prompt/prompt-source.js';
import { GenerationEngine } from './run/generation-engine.js';
import { GenerationFinalizer } from './end/generation-finalizer.js';
import { RunServices } from './run/run-services.js';
import { ModelAccess } from './live/model-access.js';
import { RunSaver } from './live/run-saver.js';
import { RunRegistry } from './live/run-registry.js';
import { GenerationStore } from './store/generation-store.js';
import { ToolCallStore } from './store/tool-call-store.js';
import { ThreadRuns } from './thread-runs.js';
import { SummariesService } from './summaries.service.js';
import { SummaryWriter } from './prompt/summary-writer.js';
import { TitleWriter } from './title-writer.js';
import { NodeStore } from '../nodes/node-store.js';
import { OrphanReaper } from '../nodes/orphan-reaper.js';
import { OrphanUsage } from '../nodes/orphan-usage.js';
import { VerifiedOwnership } from '../nodes/verified-ownership.js';
import { MessagesModule } from '../messages/messages.module.js';

const generation = [
  AdmissionControl,
  ApprovalStore,
  ApprovalsService,
  CallImages,
  OwnerSockets,
  ModelAccess,
  DetachedGenerations,
  DetachedLog,
  AdmissionStore,
  GenerationEngine,
  GenerationFinalizer,
  GenerationMetrics,
  GenerationService,
  GenerationStopper,
  GenerationStore,
  GenerationWaiter,
  Idempotency,
  RunSaver,
  PromptEstimate,
  PromptSource,
  ResumeService,
  RunRegistry,
  RunServices,
  RunSuspender,
  SavedAnswers,
  SendRateLimiter,
  SummariesService,
  SummaryWriter,
  ThreadRuns,
  TitleWriter,
  ToolCallStore,
  WaitingAnswers,
  {
    provide: GENERATION_LOG,
    inject: [REDIS, TIMINGS],
    useFactory: (redis: RedisClient | null, { logRetention }: Timings) =>
      redis === null ? new InProcessGenerationLog(logRetention) : new RedisGenerationLog(redis, logRetention),
  },
];

const nodes = [NodeStore, OrphanReaper, OrphanUsage, VerifiedOwnership];

@Module({
  imports: [
    ApiKeysModule,
    FailuresModule,
    FilesModule,
    MessagesModule,
    ModelsModule,
    ProjectsModule,
    QuotaModule,
    SettingsModule,
    ToolsModule,
  ],
  providers: [...generation, ...nodes],
  exports: [
    OwnerSockets,
    DetachedGenerations,
    DetachedLog,
    GenerationService,
    GenerationStopper,
    GenerationStore,
    GenerationWaiter,
    NodeStore,
    ResumeService,
    SendRateLimiter,
    SummariesService,
  ],
})
export class GenerationModule {}
