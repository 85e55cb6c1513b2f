import { hostname } from 'node:os';
import type { MessageStatus } from '@tanya/contract';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { GENERATION_LOG, type GenerationLog } from '../generation/log/generation-log.js';
import { GenerationEngine } from '../generation/generation-engine.js';
import { type GenerationRow, GenerationStore } from '../generation/generation-store.js';
import { toStoredContent } from '../messages/message-content.js';

/** Generations settled in one sweep; more wait for the next. */
const SWEEP_BATCH = 200;

/** Rows of processes that are long gone, in hours. */
const FORGET_AFTER = 24;

type Orphan = Pick<GenerationRow, 'id'>;

/**
 * This process's sign of life, and the end of what dead processes left running. Life is measured by the database's
 * clock alone, so nodes whose clocks differ agree on who is dead.
 */
@Injectable()
export class NodeService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];
  /** Since when Postgres has answered without a break, ms; null while it does not. */
  private healthySince: number | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(RESOURCES) private readonly resources: Resources,
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly engine: GenerationEngine,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
    // Without Redis this process owns the database, so nobody else can be writing.
    if (this.resources.redis === null) await this.settleAll();
    this.timers.push(setInterval(() => void this.beat(), this.timings.nodeBeat));
    this.timers.push(setInterval(() => void this.sweep(), this.timings.nodeSweep));
  }

  /** Beats for as long as answers of this process may go on, then says that it has gone. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.drain();
    for (const timer of this.timers) clearInterval(timer);
    await this.dataSource.query('delete from node where id = $1', [this.resources.nodeId]).catch(() => undefined);
  }

  /** Whether Postgres answered the last time it was asked. */
  get isHealthy(): boolean {
    return this.healthySince !== null;
  }

  /** Ends a generation whose process is gone. @returns the status that it has then; null when its process lives */
  async interruptIfDead(row: Pick<GenerationRow, 'id' | 'node_id'>): Promise<MessageStatus | null> {
    if (row.node_id === this.resources.nodeId) {
      return this.engine.ids.includes(row.id) ? null : this.takeOver(row, 'interrupted');
    }
    const alive = await this.dataSource.query<unknown[]>(
      `select 1 from node where id = $1 and beat_at > now() - $2 * interval '1 ms'`,
      [row.node_id, this.timings.nodeDead],
    );
    return alive.length > 0 ? null : this.takeOver(row, 'interrupted');
  }

  /** Ends a generation that its process does not end, with the text that survived. @returns the status that it has then */
  async takeOver(row: Orphan, status: 'interrupted' | 'stopped'): Promise<MessageStatus> {
    const { text, reasoning, seq } = await this.survived(row.id);
    const outcome = {
      status,
      content: toStoredContent({ text }),
      reasoning: reasoning || null,
      error: status === 'interrupted' ? new AppError('interrupted').toGenerationError() : null,
      notice: null,
      charged: status === 'stopped' && text !== '',
      finishReason: 'stop' as const,
      promptTokens: null,
      completionTokens: null,
    };
    return (await this.engine.conclude(row.id, outcome, seq)) ?? status;
  }

  /** The log is ahead of Postgres by up to a second, where it is whole. */
  private async survived(id: string): Promise<{ text: string; reasoning: string; seq: number }> {
    const stored = await this.store.survived(id);
    const events = await this.log.readAfter(id, 0).catch(() => null);
    const logged = events?.at(-1)?.seq ?? (await this.log.lastSeq(id).catch(() => 0));
    if (events === null || logged < stored.seq) return { ...stored, seq: Math.max(stored.seq, logged) };
    const joined = (type: string) =>
      events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
    return { text: joined('text-delta'), reasoning: joined('reasoning-delta'), seq: logged };
  }

  private async beat(): Promise<boolean> {
    try {
      await this.dataSource.query(
        `insert into node (id, hostname) values ($1, $2) on conflict (id) do update set beat_at = now()`,
        [this.resources.nodeId, hostname()],
      );
      this.healthySince ??= Date.now();
      return true;
    } catch (error) {
      if (this.healthySince !== null) this.logger.warn({ err: error }, 'postgres is away');
      this.healthySince = null;
      return false;
    }
  }

  /**
   * Beats first, and waits for a time of unbroken health, so that an outage of the database interrupts nobody. Its own
   * generations end here only when they were stored and never begun: Postgres took them and could not say so.
   */
  private async sweep(): Promise<void> {
    if (!(await this.beat())) return;
    if (Date.now() - (this.healthySince ?? Date.now()) < this.timings.nodeDead) return;
    try {
      const orphans = await this.dataSource.query<Orphan[]>(
        `select g.id from generation g left join node n on n.id = g.node_id
         where g.status = 'streaming' and case when g.node_id = $1
           then g.created_at < now() - $2 * interval '1 ms' and g.id <> all($3::uuid[])
           else n.id is null or n.beat_at < now() - $2 * interval '1 ms' end
         limit ${SWEEP_BATCH}`,
        [this.resources.nodeId, this.timings.nodeDead, this.engine.ids],
      );
      for (const orphan of orphans) await this.takeOver(orphan, 'interrupted');
      await this.dataSource.query(`delete from node where beat_at < now() - $1 * interval '1 hour'`, [FORGET_AFTER]);
    } catch (error) {
      this.logger.warn({ err: error }, 'the sweep could not finish');
    }
  }

  private async settleAll(): Promise<void> {
    const left = await this.dataSource.query<Orphan[]>(
      `select id from generation where status = 'streaming' and node_id <> $1`,
      [this.resources.nodeId],
    );
    for (const orphan of left) await this.takeOver(orphan, 'interrupted');
    if (left.length > 0)
      this.logger.info({ generations: left.length }, 'answers of an earlier run were closed as interrupted');
  }
}
