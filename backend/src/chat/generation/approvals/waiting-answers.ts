import type { MessageStatus } from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { groupsChanged } from '../../../access/access-topics.js';
import { may } from '../../../access/may.js';
import { type Asker, type Owner, ownerUserId } from '../../../identity/identity.js';
import { planChanged } from '../../../identity/identity-topics.js';
import { ModelsService } from '../../../models/models.service.js';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { Bus } from '../../../platform/bus/bus.js';
import { Statements } from '../../../platform/database/statements.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { BackgroundWork } from '../../../platform/resilience/background-work.js';
import { eachAlone } from '../../../platform/resilience/each-alone.js';
import { ToolRegistry } from '../../../tools/tool-registry.js';
import { GenerationFinalizer } from '../end/generation-finalizer.js';
import type { ForcedEnd } from '../live/run-registry.js';
import { GenerationStore } from '../store/generation-store.js';
import { ApprovalStore } from './approval-store.js';
import { findWaiting } from './approvals.sql.js';
import { SavedAnswers, savedEnd } from './saved-answers.js';

const BATCH = 500;

const NO_ID = '00000000-0000-0000-0000-000000000000';

interface WaitingGeneration extends Pick<
  Asker,
  'isAdmin' | 'isPremium' | 'groupIds' | 'quotaOverride' | 'budgetUsd' | 'budgetPeriod'
> {
  id: string;
  owner: Owner;
  modelId: string;
  tools: string[];
}

/**
 * Why a waiting answer ends: stopped by its user, interrupted by a suspension or the end of its thread's time, without a
 * decision in time, or without access.
 */
type WaitingEnd = ForcedEnd | 'expired' | 'revoked';

const ERRORS = {
  stopped: null,
  interrupted: new AppError('interrupted'),
  expired: new AppError('interrupted', { reason: 'approval' }),
  revoked: new AppError('interrupted', { reason: 'access' }),
} satisfies Record<WaitingEnd, AppError | null>;

/**
 * The ends of answers that wait for approvals: by a Stop, after the longest wait, and once their owner may no longer use the
 * model or the tool server. A running answer checks that itself before its next step. Several nodes may do this: a
 * compare-and-set decides.
 */
@Injectable()
export class WaitingAnswers implements OnModuleInit {
  private isRunning = false;
  /** The accounts whose answers are to be checked; null stands for all. */
  private readonly unchecked = new Set<number | null>();

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly statements: Statements,
    private readonly models: ModelsService,
    private readonly tools: ToolRegistry,
    private readonly approvals: ApprovalStore,
    private readonly store: GenerationStore,
    private readonly saved: SavedAnswers,
    private readonly finalizer: GenerationFinalizer,
    private readonly tracing: Tracing,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly background: BackgroundWork,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.background.repeat('approval expiry', this.timings.threadSweep, () => this.endExpired());
    for (const table of [this.models, this.tools]) table.onChanged(() => this.checkAccess(null));
    this.bus.subscribe(planChanged, ({ userId }) => this.checkAccess([userId]));
    this.bus.subscribe(groupsChanged, ({ userIds }) => this.checkAccess(userIds));
  }

  /**
   * Ends an answer that waits: its calls are denied.
   * @returns the status now, `streaming` when the last approval came first; null when the generation was deleted
   */
  end(id: string, why: WaitingEnd): Promise<MessageStatus | null> {
    const attributes = { 'tanya.generation.id': id, 'tanya.generation.end': why };
    return this.tracing.join(id, 'reap', { attributes }, () => this.endSaved(id, why));
  }

  private async endSaved(id: string, why: WaitingEnd): Promise<MessageStatus | null> {
    const saved = await this.saved.find(id);
    const { written, run } = saved;
    if (run === null) return this.store.status(id);
    const error = ERRORS[why]?.toGenerationError() ?? null;
    const ended = savedEnd(saved, why === 'stopped' ? why : 'interrupted', error, 'denied');
    const end = { ...ended, usage: run.recorded, attempts: run.attempts };
    return (await this.finalizer.finalize(id, end, written.seq, { before: 'waiting' })) ?? this.store.status(id);
  }

  private async endExpired(): Promise<void> {
    await eachAlone(await this.approvals.expired(this.timings.approval, BATCH), (id) => this.end(id, 'expired'));
  }

  /**
   * One check at a time; changes during it cause one more. If a message of the bus is lost, the next step of the answer checks
   * access.
   */
  private async checkAccess(userIds: readonly number[] | null): Promise<void> {
    for (const userId of userIds ?? [null]) this.unchecked.add(userId);
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.unchecked.size > 0) {
        const checked = this.unchecked.has(null) ? null : ([...this.unchecked] as number[]);
        this.unchecked.clear();
        await this.endForbidden(checked);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'check of waiting answers failed; they are checked when they go on');
    } finally {
      this.isRunning = false;
    }
  }

  private async endForbidden(userIds: number[] | null): Promise<void> {
    let after = NO_ID;
    for (;;) {
      const rows = await this.statements.run<WaitingGeneration>(...findWaiting({ after, userIds, limit: BATCH }));
      const forbidden = rows.filter((row) => this.isForbidden(row));
      await eachAlone(forbidden, ({ id }) => this.end(id, 'revoked'));
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.id;
    }
  }

  private isForbidden({ id, modelId, tools, ...plan }: WaitingGeneration): boolean {
    const asker: Asker = { ...plan, userId: ownerUserId(plan.owner), address: '' };
    const model = this.models.find(modelId);
    if (model === null || !may(asker, { model })) return true;
    return tools.some((tool) => this.tools.isForbidden(asker, tool));
  }
}
