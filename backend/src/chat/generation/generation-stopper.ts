import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageStatus } from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { withTimeout } from '../../platform/resilience/with-timeout.js';
import { Bus } from '../../platform/bus/bus.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Owner, userOwner } from '../../identity/identity.js';
import { apiKeyEnded } from '../../identity/identity-topics.js';
import { QuotaService } from '../../quota/quota.service.js';
import { OrphanReaper } from '../nodes/orphan-reaper.js';
import { WaitingAnswers } from './approvals/waiting-answers.js';
import { type ForcedEnd, generationStop, RunRegistry } from './live/run-registry.js';
import { GenerationStore, type OpenGeneration } from './store/generation-store.js';

/** How often the status of another node's generation is read, in ms. */
const POLL_INTERVAL_MS = 50;

/** A stop whose end Postgres does not take is refused after this time; the run ends when Postgres is back. */
const STOP_TIMEOUT_MS = 10_000;

/**
 * Ends generations before their answer is complete, on whichever node they run: for their user, for the end of their API key, or
 * for a suspension.
 */
@Injectable()
export class GenerationStopper implements OnModuleInit {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
    private readonly orphans: OrphanReaper,
    private readonly waiting: WaitingAnswers,
    private readonly bus: Bus,
    private readonly dataSource: DataSource,
    private readonly quotas: QuotaService,
    private readonly hooks: AccountLifecycleHooks,
  ) {}

  onModuleInit(): void {
    this.hooks.onSuspend((owner) => this.interruptAll(owner));
    this.bus.subscribe(apiKeyEnded, ({ userId, apiKeyId }) => this.stopOfKey(userOwner(userId), apiKeyId));
  }

  /** Stops a generation of the owner. Idempotent. @throws AppError `not_found` */
  async stop(owner: Owner, generationId: string): Promise<MessageStatus> {
    const row = await this.store.find(owner, generationId);
    if (row === null) throw new AppError('not_found');
    return this.endRow(row, 'stopped');
  }

  /**
   * Stops all running and waiting generations of threads.
   * @param ofWaiting how those end that wait for an approval; interrupted ones are free
   */
  async stopAllOfThreads(threadIds: readonly number[], ofWaiting: ForcedEnd = 'stopped'): Promise<void> {
    for (const row of await this.store.openGenerations({ threadIds }))
      await this.endRow(row, row.status === 'waiting' ? ofWaiting : 'stopped');
  }

  /** Stops all running and waiting generations of an account that is suspended, because it is being deleted. */
  async stopAllOfSuspended(owner: Owner): Promise<void> {
    await this.waitForAdmissions(owner);
    await this.stopEach(await this.store.openGenerations({ owner }));
  }

  /** Stops running and waiting generations, one after another. */
  async stopEach(open: readonly OpenGeneration[]): Promise<void> {
    for (const row of open) await this.endRow(row, 'stopped');
  }

  private async stopOfKey(owner: Owner, apiKeyId: number): Promise<void> {
    const rows = (await this.store.openGenerations({ owner })).filter((row) => row.apiKeyId === apiKeyId);
    const stops = await Promise.allSettled(rows.map((row) => this.endRow(row, 'stopped')));
    const failed = stops.find((stop) => stop.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Interrupts all running and waiting generations of a suspended account, on all nodes; they are free. */
  private async interruptAll(owner: Owner): Promise<void> {
    await this.waitForAdmissions(owner);
    for (
      let rows = await this.store.openGenerations({ owner });
      rows.length > 0;
      rows = await this.store.openGenerations({ owner })
    ) {
      await Promise.all(rows.map((row) => this.endRow(row, 'interrupted')));
    }
  }

  /** Waits for admissions that have read the account before its suspension; later ones are refused. */
  private async waitForAdmissions(owner: Owner): Promise<void> {
    await this.dataSource.transaction((manager) => this.quotas.lockAccounts(manager, [owner]));
  }

  private async endRow(row: OpenGeneration, status: ForcedEnd): Promise<MessageStatus> {
    if (row.status === 'waiting') return this.endWaiting(row, status);
    if (row.status !== 'streaming') return row.status;
    const run = this.registry.find(row.id);
    if (run !== undefined) {
      run.abort(status);
      const ended = await withTimeout(STOP_TIMEOUT_MS, run.ended);
      if (ended === undefined) throw new AppError('storage_unavailable');
      return ended === 'waiting' ? this.endWaiting(row, status) : ended;
    }
    return (await this.orphans.finalizeIfDead(row)) ?? this.endElsewhere(row, status);
  }

  /** Ends a generation that no node holds. The last approval may come first: its node is then asked. */
  private async endWaiting(row: OpenGeneration, status: ForcedEnd): Promise<MessageStatus> {
    const stored = await this.waiting.end(row.id, status);
    if (stored !== 'streaming') return stored ?? status;
    const current = await this.store.findById(row.id);
    return current === null ? status : this.endRow(current, status);
  }

  /** Asks the node that runs the generation, and ends it here when that node does not answer in time. */
  private async endElsewhere(row: OpenGeneration, status: ForcedEnd): Promise<MessageStatus> {
    await this.bus.publish(generationStop, { generationId: row.id, status });
    for (const deadline = Date.now() + this.timings.remoteStop; Date.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
      const stored = await this.store.status(row.id);
      if (stored === 'waiting') return this.endWaiting(row, status);
      if (stored !== 'streaming') return stored ?? status;
    }
    return this.orphans.finalize(row.id, status);
  }
}
