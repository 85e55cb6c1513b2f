import type { ThreadSummary } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { countsOf } from '../../identity/caller-counts.js';
import type { Identity, Owner } from '../../identity/identity.js';
import { ModelsService } from '../../models/models.service.js';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SummaryStore } from '../messages/summary-store.js';
import { type OwnThread, ThreadStore } from '../messages/thread-store.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { AdmissionControl } from './admission/admission-control.js';
import { PromptSource } from './prompt/prompt-source.js';
import { SummaryWriter } from './prompt/summary-writer.js';

/** Each one is a call of a model over a whole conversation. Seconds. */
const COMPACTIONS: RateLimit = { name: 'thread-compact', points: 10, window: 60 * 60 };

/** What the owner of a thread does with its summary. */
@Injectable()
export class SummariesService {
  constructor(
    private readonly threads: ThreadStore,
    private readonly summaries: SummaryStore,
    private readonly writer: SummaryWriter,
    private readonly prompts: PromptSource,
    private readonly admission: AdmissionControl,
    private readonly models: ModelsService,
    private readonly limits: RateLimits,
    private readonly sockets: OwnerSockets,
  ) {}

  /** The summary of the shown path. @throws AppError `not_found` */
  async get(owner: Owner, threadId: number): Promise<ThreadSummary> {
    await this.require(owner, threadId);
    const summary = await this.summaries.newestShown(threadId);
    if (summary === null) throw new AppError('not_found');
    return summary;
  }

  /** Undoes the summary of the shown path: prompts have the messages again. @throws AppError `not_found` */
  async undo(owner: Owner, threadId: number): Promise<void> {
    const { isTemporary } = await this.require(owner, threadId);
    if (!(await this.summaries.undo(threadId))) throw new AppError('not_found');
    this.sockets.threadChanged(owner, { threadId, isTemporary });
  }

  /**
   * Summarises the shown path but for its last two turns.
   * @throws AppError `not_found`, `rate_limited`, `invalid` for a conversation below half of the context or without an older
   *   turn, `model_unavailable`, `model_premium`, `budget_exceeded`, and the codes of providers
   */
  async compact(identity: Identity, threadId: number): Promise<ThreadSummary> {
    const { activeLeafId: leafId, modelId } = await this.require(identity.owner, threadId);
    const model = this.admission.usableModel(identity, modelId ?? this.models.defaultModelFor(identity), ['chat']);
    await this.limits.consumeAll(countsOf(identity, COMPACTIONS));
    if (leafId === null) throw tooShort();
    const path = await this.prompts.path(leafId, model.modelId);
    const written = await this.writer.compact({ asker: identity, threadId, model }, path);
    if (!('refused' in written)) return written;
    throw written.refused === 'short' ? tooShort() : new AppError(written.refused);
  }

  private async require(owner: Owner, threadId: number): Promise<OwnThread> {
    const thread = await this.threads.find(owner, threadId);
    if (thread === null) throw new AppError('not_found');
    return thread;
  }
}

const tooShort = (): AppError => refuseField('threadId', 'thread_short');
