import { setTimeout as sleep } from 'node:timers/promises';
import type { RetentionPreview, RetentionRules } from '@tanya/contract';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AlertsService } from '../../alerts/alerts.service.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { ReadReplica } from '../../platform/database/read-replica.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { RetentionService } from '../../retention/retention.service.js';
import { changeGuestLifetime, LAST_THREAD, previewRules, selectOld } from '../messages/old-threads-sql.js';
import { ThreadLifetimes } from '../messages/thread-lifetimes.js';
import { ThreadDeletion } from './thread-deletion.js';

const DAY_MS = 24 * 60 * 60_000;

/** Threads of one transaction, and ids of one look. A look over 20,000 threads took 30 ms. */
const BATCH = 50;
const RANGE = 20_000;

const GUEST_BATCH = 1_000;

/** Deletes what the retention rules no longer keep: shortly after each start, then once a day, by one node. */
@Injectable()
export class RetentionSweep implements OnModuleDestroy {
  private hasSwept = false;
  /** The lifetime that guests' threads were given last. */
  private guestLifetime: number | null | undefined;
  private readonly shutdown = new AbortController();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) timings: Timings,
    private readonly replica: ReadReplica,
    private readonly retention: RetentionService,
    private readonly lifetimes: ThreadLifetimes,
    private readonly deletion: ThreadDeletion,
    private readonly alerts: AlertsService,
    background: BackgroundWork,
  ) {
    background.repeat('retention', timings.retentionLook, () => this.look());
    retention.onChanged(() => this.adjustGuests());
  }

  onModuleDestroy(): void {
    this.shutdown.abort();
  }

  /** What rules would delete if they held now. */
  async preview(rules: RetentionRules): Promise<RetentionPreview> {
    const [row] = await this.replica.snapshot((run) =>
      run<Omit<RetentionPreview, 'oldest'> & { oldest: Date | null }>(...previewRules(rules)),
    );
    return { ...row!, oldest: row!.oldest?.toISOString() ?? null };
  }

  private async look(): Promise<void> {
    try {
      const isDue = !this.hasSwept || (await this.retention.isSweepDue(DAY_MS));
      // A node that heard of a change late has given new threads the earlier time.
      if (isDue) this.guestLifetime = undefined;
      await this.adjustGuests();
      if (isDue) this.hasSwept = await this.sweep();
    } catch (error) {
      if (this.shutdown.signal.aborted) return;
      const day = new Date().toISOString().slice(0, 10);
      await this.alerts.raise('retention_failed', `retention_failed:${day}`, {}).catch(() => undefined);
      throw error;
    }
  }

  /** Rests as long as it works, so that it takes half of one connection. @returns false when another node sweeps */
  private async sweep(): Promise<boolean> {
    const { free, premium } = this.retention.get().inForce;
    const keepsAll = free === null && premium === null;
    const [{ id: last }] = keepsAll ? [{ id: 0 }] : await this.dataSource.query<[{ id: number }]>(LAST_THREAD);
    for (let after = 0; after < last;) {
      const started = performance.now();
      const range = { after, until: after + RANGE, limit: BATCH };
      const found = await this.dataSource.query<{ id: number }[]>(...selectOld(range));
      const ids = found.map(({ id }) => id);
      if (ids.length > 0 && !(await this.deletion.deleteOld(ids))) return false;
      after = ids.length === BATCH ? ids.at(-1)! : range.until;
      await sleep(performance.now() - started, undefined, { signal: this.shutdown.signal, ref: false });
    }
    await this.retention.endSweep();
    return true;
  }

  /** Guests' threads have their time in their row, so that it ends to the minute. */
  private async adjustGuests(): Promise<void> {
    const lifetime = this.lifetimes.ofNew({ userId: null });
    if (lifetime === this.guestLifetime) return;
    for (let changed = GUEST_BATCH; changed === GUEST_BATCH;) {
      const change = changeGuestLifetime({ lifetime, limit: GUEST_BATCH });
      [, changed] = await this.dataSource.query<[unknown, number]>(...change);
    }
    this.guestLifetime = lifetime;
  }
}
