import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { FilesService } from '../../../files/files.service.js';
import { ModelMetrics } from '../../../models/model-metrics.js';
import { ModelsService } from '../../../models/models.service.js';
import { Pricing } from '../../../models/pricing.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import { BudgetService } from '../../../quota/budget.service.js';
import { SettingsService } from '../../../settings/settings.service.js';
import { ToolRegistry } from '../../../tools/tool-registry.js';
import { MessageStore } from '../../messages/message-store.js';
import { ThreadStore } from '../../messages/thread-store.js';
import { VerifiedOwnership } from '../../nodes/verified-ownership.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { ModelAccess } from '../live/model-access.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import { RunSaver } from '../live/run-saver.js';
import { PromptSource } from '../prompt/prompt-source.js';
import { GenerationStore } from '../store/generation-store.js';
import { ToolCallStore } from '../store/tool-call-store.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { GenerationRun } from '../live/generation-run.js';

/** What the objects of one run share. Each names those that it uses. */
@Injectable()
export class RunServices {
  constructor(
    @Inject(TIMINGS) readonly timings: Timings,
    @Inject(LOGGER) readonly logger: Logger,
    readonly tracing: Tracing,
    readonly metrics: GenerationMetrics,
    readonly modelMetrics: ModelMetrics,
    readonly sockets: OwnerSockets,
    readonly ownership: VerifiedOwnership,
    readonly saver: RunSaver,
    readonly generations: GenerationStore,
    readonly calls: ToolCallStore,
    readonly messages: MessageStore,
    readonly threads: ThreadStore,
    readonly files: FilesService,
    readonly prompts: PromptSource,
    readonly models: ModelsService,
    readonly providers: ProviderRegistry,
    readonly tools: ToolRegistry,
    readonly budgets: BudgetService,
    readonly access: ModelAccess,
    readonly pricing: Pricing,
    readonly settings: SettingsService,
  ) {}
}

/** Works on the rows of a run, and retries while Postgres is unavailable. @throws the abort reason of the run */
export const retryStorage = <T>(
  { controller: { signal } }: GenerationRun,
  { timings }: Pick<RunServices, 'timings'>,
  work: () => Promise<T>,
): Promise<T> => retryWhileStorageIsAway(work, { timeoutMs: timings.settleRetry, signal });

/**
 * Stores a change of a run.
 * @param write returns false when another node has ended the generation, which aborts the run
 * @throws the abort reason of the run
 */
export async function storeChange(
  run: GenerationRun,
  services: Pick<RunServices, 'timings'>,
  write: () => Promise<boolean>,
): Promise<void> {
  if (!(await retryStorage(run, services, write))) run.abort('fenced');
  run.controller.signal.throwIfAborted();
}
