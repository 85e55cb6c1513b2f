import type { MessageStatus } from '@tanya/contract';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { statement } from '../../platform/database/named-parameters.js';
import { Statements } from '../../platform/database/statements.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Tracing } from '../../platform/observability/tracing.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { eachAlone } from '../../platform/resilience/each-alone.js';
import { SavedAnswers, savedEnd } from '../generation/approvals/saved-answers.js';
import { GenerationFinalizer } from '../generation/end/generation-finalizer.js';
import type { GenerationEnd } from '../generation/end/generation-end.js';
import { type ForcedEnd, RunRegistry } from '../generation/live/run-registry.js';
import { areVisible } from '../generation/live/run-parts.js';
import { RUNNING_GENERATIONS } from '../generation/store/generation-sql.js';
import { fallbackNotice, type GenerationRow, GenerationStore } from '../generation/store/generation-store.js';
import { LIVE_NODES, NodeStore } from './node-store.js';
import { OrphanUsage } from './orphan-usage.js';

/** Interval at which rows of dead nodes are deleted, ms. */
const DELETION_MS = 60 * 60_000;

/** Maximum of orphans that one look finds. */
const BATCH = 200;

/**
 * Orphans: running generations of dead nodes, and those of this node that were committed but never started because
 * Postgres could not confirm the commit. `runs` are those of this node.
 */
const findOrphans = statement<{ nodeId: string; deadMs: number; runs: string[] }>(`
select g.id, g.node_id as "nodeId" from (${RUNNING_GENERATIONS}) g left join (${LIVE_NODES}) n on n.id = g.node_id
where case when g.node_id = :nodeId
  then g.running_since < now() - :deadMs * interval '1 ms' and g.id <> all(:runs::uuid[])
  else n.id is null end
limit ${BATCH}`);

type Orphan = Pick<GenerationRow, 'id' | 'nodeId'>;

type OpenGeneration = Orphan & Pick<GenerationRow, 'status'>;

/** Stores the heartbeat of this node, then ends generations whose node is dead, and those that no node holds, with the text that was saved. */
@Injectable()
export class OrphanReaper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  /** Since when Postgres has answered without a failure, epoch ms; null while it is unavailable. */
  private healthySince: number | null = null;

  constructor(
    private readonly statements: Statements,
    @Inject(RESOURCES) private readonly resources: Resources,
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly nodes: NodeStore,
    private readonly store: GenerationStore,
    private readonly saved: SavedAnswers,
    private readonly registry: RunRegistry,
    private readonly finalizer: GenerationFinalizer,
    private readonly usage: OrphanUsage,
    private readonly tracing: Tracing,
    background: BackgroundWork,
  ) {
    background.repeat('deletion of dead nodes', DELETION_MS, () => nodes.deleteOldNodes());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
    // Without Redis this process is the only node, so every other node's generation is an orphan.
    if (this.resources.redis === null) await this.endPreviousRun();
    this.timer = setInterval(() => void this.reap(), this.timings.nodeBeat);
  }

  /** Removes the node once its last run has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.registry.drain();
    clearInterval(this.timer);
    await this.nodes.remove().catch(() => undefined);
  }

  /** @returns the final status, or null while the generation's node is alive or the generation waits for approvals */
  async finalizeIfDead({ id, nodeId, status }: OpenGeneration): Promise<MessageStatus | null> {
    if (status === 'waiting') return null;
    const isAlive =
      nodeId === this.resources.nodeId ? this.registry.ids.includes(id) : await this.nodes.isAlive(nodeId);
    return isAlive ? null : this.finalize(id, 'interrupted');
  }

  /** Ends the generations of dead nodes in a thread. @returns whether it ended one or none was left */
  async freeThread(threadId: number): Promise<boolean> {
    const open = await this.store.openGenerations({ threadIds: [threadId] });
    let isFreed = open.length === 0;
    for (const row of open) isFreed = (await this.finalizeIfDead(row)) !== null || isFreed;
    return isFreed;
  }

  /** Ends a generation that its node does not end. @returns the final status */
  finalize(id: string, status: ForcedEnd): Promise<MessageStatus> {
    const attributes = { 'tanya.generation.id': id, 'tanya.generation.end': status };
    return this.tracing.join(id, 'reap', { attributes }, () => this.endOrphan(id, status));
  }

  private async endOrphan(id: string, status: ForcedEnd): Promise<MessageStatus> {
    const saved = await this.saved.find(id);
    const { written, run } = saved;
    const error = status === 'interrupted' ? new AppError('interrupted').toGenerationError() : null;
    const ended = savedEnd(saved, status, error, 'interrupted');
    const end = {
      ...ended,
      ...(await this.fallbackOf(id, ended)),
      // The time after the last approval died with its node.
      usage: { ...(await this.usage.estimate(id, written)), totalMs: run?.recorded.totalMs ?? null },
    };
    return (await this.finalizer.finalize(id, end, written.seq)) ?? status;
  }

  /** The models of an answer that asked a fallback. When nothing was written, the answer is one of the asked model. */
  private async fallbackOf(
    id: string,
    { parts, notices }: Pick<GenerationEnd, 'parts' | 'notices'>,
  ): Promise<Partial<GenerationEnd>> {
    const row = await this.store.findById(id);
    if (row === null || row.fallback === null) return {};
    const { attempts } = row.fallback;
    if (!areVisible(parts)) return { attempts, modelId: attempts[0]!.modelId };
    const others = notices.filter(({ code }) => code !== 'fallback');
    return { attempts, notices: [...others, fallbackNotice(attempts, row.modelId)] };
  }

  /** Stores its own heartbeat first, and reaps only after `nodeDead` without a failed one: a database outage must interrupt no answer. */
  private async reap(): Promise<void> {
    if (!(await this.beat()) || Date.now() - (this.healthySince ?? Infinity) < this.timings.nodeDead) return;
    // Since the query a stalled node may have stored a heartbeat, or an approved generation may have come here.
    await this.endOrphans(this.timings.nodeDead, (orphan) => this.finalizeIfDead({ ...orphan, status: 'streaming' }));
  }

  /** A batch of which all fail would be found again. */
  private async endPreviousRun(): Promise<void> {
    let generations = 0;
    let pass = { found: BATCH, ended: BATCH };
    while (pass.found === BATCH && pass.ended > 0) {
      pass = await this.endOrphans(0, ({ id }) => this.finalize(id, 'interrupted'));
      generations += pass.ended;
    }
    if (generations > 0) this.logger.info({ generations }, 'orphans of the previous run interrupted');
  }

  /** @param deadMs time without a heartbeat after which a node is dead; 0 for all other nodes */
  private async endOrphans(
    deadMs: number,
    end: (orphan: Orphan) => Promise<unknown>,
  ): Promise<{ found: number; ended: number }> {
    const { nodeId } = this.resources;
    const pass = { found: 0, ended: 0 };
    try {
      const orphans = await this.statements.run<Orphan>(...findOrphans({ nodeId, deadMs, runs: this.registry.ids }));
      pass.found = orphans.length;
      await eachAlone(orphans, async (orphan) => {
        await end(orphan);
        pass.ended += 1;
      });
    } catch (error) {
      this.logger.warn({ err: error }, 'orphan reaping failed; retrying with the next pass');
    }
    return pass;
  }

  /** @returns whether Postgres took the heartbeat; false after the node was removed */
  private async beat(): Promise<boolean> {
    try {
      if (!(await this.nodes.beat())) return false;
      this.healthySince ??= Date.now();
      return true;
    } catch (error) {
      if (this.healthySince !== null) this.logger.warn({ err: error }, 'heartbeat failed; the reaper pauses');
      this.healthySince = null;
      return false;
    }
  }
}
