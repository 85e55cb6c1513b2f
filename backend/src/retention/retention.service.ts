import {
  RETENTION_NOTICE_DAYS,
  type OwnRetention,
  type Retention,
  type RetentionPreview,
  type RetentionRules,
  type UpdateRetentionRequest,
} from '@tanya/contract';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { recordChange, recordOfSystem } from '../audit/audit-log.js';
import type { PlanName } from '../identity/identity.js';
import type { SharedTable, SharedTables } from '../platform/bus/shared-tables.js';
import { statement } from '../platform/database/named-parameters.js';
import { RetentionDayEntity } from './retention-day.entity.js';
import { isAnyShorter, longerOf, onlyOf } from './retention-rules.js';
import { RetentionEntity } from './retention.entity.js';

const DAY_MS = 24 * 60 * 60_000;

export type Deleted = Omit<RetentionPreview, 'oldest'>;

const countDeleted = statement<Deleted>(`insert into retention_day as d (day, threads, messages, files, bytes)
  values ((now() at time zone 'utc')::date, :threads, :messages, :files, :bytes)
  on conflict (day) do update set threads = d.threads + excluded.threads, messages = d.messages + excluded.messages,
    files = d.files + excluded.files, bytes = d.bytes + excluded.bytes`);

/** Whether this transaction is the only one that sweeps. The lock ends with it, also by a kill. */
const CLAIM = 'select 1 from retention for update skip locked';

/** The time by the clock of Postgres, ms. With that of a node, which may be wrong, a notice could end early. */
async function timeOf(manager: EntityManager): Promise<number> {
  const [{ now }] = await manager.query<[{ now: Date }]>('select clock_timestamp() as now');
  return now.getTime();
}

const isWaiting = ({ effectiveAt }: RetentionEntity, now: number): boolean =>
  effectiveAt !== null && effectiveAt.getTime() > now;

const rulesIn = ({ guest, free, premium, exemptPinned }: RetentionRules): RetentionRules => ({
  guest,
  free,
  premium,
  exemptPinned,
});

/** The rules that hold at a moment. */
const inForce = (row: RetentionEntity, now: number): RetentionRules =>
  row.before !== null && isWaiting(row, now) ? row.before : rulesIn(row);

interface Dependencies {
  dataSource: DataSource;
  tables: SharedTables;
}

/** How long threads stay: the rules, cached in process, and the counts of what they deleted. */
export class RetentionService {
  private readonly rows: Repository<RetentionEntity>;
  private readonly cache: SharedTable<RetentionEntity>;

  private constructor(private readonly deps: Dependencies) {
    this.rows = deps.dataSource.getRepository(RetentionEntity);
    const rows = { table: 'retention', without: ['mailed_to', 'swept_at'] };
    this.cache = deps.tables.share([rows], () => this.rows.findOneByOrFail({ id: 1 }));
  }

  static async open(deps: Dependencies): Promise<RetentionService> {
    const service = new RetentionService(deps);
    await service.rows.createQueryBuilder().insert().values({ id: 1 }).orIgnore().execute();
    await service.cache.load();
    return service;
  }

  get(): Retention {
    return toRetention(this.cache.value, Date.now() - this.deps.tables.clockAhead);
  }

  /** Calls `listener` on every node after each change of the rules. */
  onChanged(listener: () => Promise<void>): void {
    this.cache.onChanged(listener);
  }

  /** What holds for the threads of a plan. */
  ofPlan(plan: PlanName): OwnRetention {
    const { effectiveAt, inForce: held, ...wanted } = this.get();
    const next = { days: wanted[plan], exemptPinned: wanted.exemptPinned };
    const isShorter = isAnyShorter(onlyOf(wanted, plan), onlyOf(held, plan));
    return {
      days: held[plan],
      exemptPinned: held.exemptPinned,
      next: effectiveAt !== null && isShorter ? { ...next, effectiveAt } : null,
    };
  }

  /** The rules that would follow from a change, as if they held at once. */
  changed({ guest, free, premium, exemptPinned }: UpdateRetentionRequest): RetentionRules {
    return changedRules(this.cache.value, { guest, free, premium, exemptPinned });
  }

  /**
   * Sets rules. What lengthens holds at once; what shortens after the time of the notice. A change that shortens nothing
   * further than one that waits already keeps its time.
   */
  async update(changes: UpdateRetentionRequest): Promise<Retention> {
    const updated = await this.deps.dataSource.transaction(async (manager) => {
      const stored = await manager.findOneOrFail(RetentionEntity, {
        where: { id: 1 },
        lock: { mode: 'pessimistic_write' },
      });
      const before = { ...rulesIn(stored), effectiveAt: stored.effectiveAt };
      const now = await timeOf(manager);
      change(stored, changedRules(stored, changes), now);
      await manager.save(stored);
      const after = { ...rulesIn(stored), effectiveAt: stored.effectiveAt };
      const target = { id: 1, name: null };
      await recordChange(manager, { action: 'retention.update', target, before, after });
      return toRetention(stored, now);
    });
    await this.cache.announce();
    return updated;
  }

  /** Whether this node may sweep in this transaction; false while another node does. */
  async claim(manager: EntityManager): Promise<boolean> {
    return (await manager.query<unknown[]>(CLAIM)).length > 0;
  }

  /** Counts deleted threads, in the transaction that deletes them. */
  async count(manager: EntityManager, deleted: Deleted): Promise<void> {
    await manager.query(...countDeleted(deleted));
  }

  /** Notes the end of a sweep, and writes the audit entry of each day with new counts. */
  async endSweep(): Promise<void> {
    await this.deps.dataSource.transaction(async (manager) => {
      if (!(await this.claim(manager))) return;
      const days = await manager
        .createQueryBuilder(RetentionDayEntity, 'day')
        .where('day.threads > day.auditedThreads')
        .getMany();
      for (const day of days) {
        const { threads, messages, files, bytes } = day;
        const after = { day: day.day, threads, messages, files, bytes };
        day.auditId = await recordOfSystem(manager, {
          id: day.auditId,
          action: 'retention.sweep',
          target: { id: 1, name: null },
          after,
        });
        day.auditedThreads = threads;
        await manager.save(day);
      }
      await manager.query('update retention set swept_at = now()');
    });
  }

  /** Whether the last sweep ended more than `ms` ago. */
  async isSweepDue(ms: number): Promise<boolean> {
    const rows = await this.deps.dataSource.query<unknown[]>(
      'select 1 from retention where swept_at is null or swept_at < now() - make_interval(secs => $1)',
      [ms / 1000],
    );
    return rows.length > 0;
  }

  /**
   * Sends the next mail of a notice, and notes it in the same transaction: a mail is repeated after a kill, never left out.
   * @param next finds the next account after an id and tells it; null without one
   * @returns false when none is due, or another node sends
   */
  async mailNext(
    next: (after: number, retention: Retention, manager: EntityManager) => Promise<number | null>,
  ): Promise<boolean> {
    return this.deps.dataSource.transaction(async (manager) => {
      const [row] = await manager
        .createQueryBuilder(RetentionEntity, 'r')
        .where('r.mailedTo is not null')
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getMany();
      if (row === undefined) return false;
      const now = await timeOf(manager);
      row.mailedTo = isWaiting(row, now) ? await next(row.mailedTo!, toRetention(row, now), manager) : null;
      await manager.save(row);
      return row.mailedTo !== null;
    });
  }
}

/** Sets rules at a moment: see `RetentionService.update`. */
function change(row: RetentionEntity, wanted: RetentionRules, now: number): void {
  const held = inForce(row, now);
  const waiting = isWaiting(row, now) ? rulesIn(row) : null;
  const kept = longerOf(held, wanted);
  Object.assign(row, wanted);
  if (!isAnyShorter(wanted, kept)) {
    Object.assign(row, { before: null, effectiveAt: null, mailedTo: null });
    return;
  }
  row.before = kept;
  if (waiting !== null && !isAnyShorter(wanted, waiting)) return;
  row.effectiveAt = new Date(now + RETENTION_NOTICE_DAYS * DAY_MS);
  row.mailedTo = 0;
}

function changedRules(row: RetentionRules, changes: Partial<RetentionRules>): RetentionRules {
  const { guest = row.guest, free = row.free, premium = row.premium, exemptPinned = row.exemptPinned } = changes;
  return { guest, free, premium, exemptPinned };
}

function toRetention(row: RetentionEntity, now: number): Retention {
  return {
    ...rulesIn(row),
    effectiveAt: isWaiting(row, now) ? row.effectiveAt!.toISOString() : null,
    inForce: inForce(row, now),
  };
}
