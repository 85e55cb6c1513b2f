import { randomUUID } from 'node:crypto';
import type { GenerationEvent, GenerationResumed } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { Bus, type BusTopics } from '../../../platform/redis/bus.js';
import type { Owner } from '../../../platform/session/identity.js';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { withTimeout } from '../../../platform/net/with-timeout.js';
import { GenerationEngine } from '../generation-engine.js';
import { GENERATION_LOG, type GenerationLog, isClosing } from './generation-log.js';
import { GenerationStore } from '../generation-store.js';

/** A process that does not say within this, ms, that it has flushed its log may be gone; what is there is read. */
const FLUSH_TIMEOUT_MS = 1_000;

const reachesEnd = (events: readonly GenerationEvent[]): boolean => events.length > 0 && isClosing(events.at(-1)!);

/** Brings a page that was away up to date with a generation, whichever process writes it. */
@Injectable()
export class ResumeService implements OnApplicationBootstrap {
  /** What other processes were asked to flush, and who waits for it here. */
  private readonly flushing = new Map<string, () => void>();

  constructor(
    @Inject(RESOURCES) private readonly resources: Resources,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly engine: GenerationEngine,
    private readonly bus: Bus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.subscribe('generation:flush', (wanted) => this.flushFor(wanted));
    this.bus.subscribe('generation:flushed', ({ request }) => this.flushing.get(request)?.());
  }

  /**
   * The events after a position, or the message as it stands where they are no longer at hand: null when the generation
   * is unknown, gone with its thread for example.
   * @throws AppError `not_found` for somebody else's
   */
  async after(owner: Owner, generationId: string, afterSeq: number): Promise<GenerationResumed> {
    const row = await this.store.find(owner, generationId);
    if (row === null && !(await this.store.exists(generationId))) return { outcome: 'resync', message: null };
    if (row === null || row.message_id === null) throw new AppError('not_found');
    const run = this.engine.find(generationId);
    if (run !== undefined) await this.engine.flush(run);
    else if (row.status === 'streaming') await this.flushElsewhere(generationId, row.node_id);
    const events = await this.log.readAfter(generationId, afterSeq).catch(() => null);
    // After the end only events that reach it will do: a process that died may have given out numbers that nobody stored,
    // and an end that got one of them anew must not pass for seen.
    const isWhole = events !== null && (row.status === 'streaming' || reachesEnd(events));
    if (isWhole) return { outcome: 'resumed', events };
    const message = await this.store.message(row.message_id);
    if (message === null || message.status !== 'streaming') return { outcome: 'resync', message };
    const soFar = run ?? (await this.store.survived(generationId));
    return {
      outcome: 'resync',
      message: { ...message, content: soFar.text, reasoning: soFar.reasoning || null },
      seq: soFar.seq,
    };
  }

  /**
   * Waits until the process that writes it has logged what it has. That process heard before of the page that asks, in
   * the same order on the same channel, so whatever is not in the log then is published to that page.
   */
  private async flushElsewhere(generationId: string, nodeId: string): Promise<void> {
    const request = randomUUID();
    const flushed = new Promise<void>((resolve) => this.flushing.set(request, resolve));
    await this.bus.publish('generation:flush', { generationId, nodeId, request });
    await withTimeout(FLUSH_TIMEOUT_MS, flushed);
    this.flushing.delete(request);
  }

  private async flushFor({ generationId, nodeId, request }: BusTopics['generation:flush']): Promise<void> {
    if (nodeId !== this.resources.nodeId) return;
    const run = this.engine.find(generationId);
    if (run !== undefined) await this.engine.flush(run);
    await this.bus.publish('generation:flushed', { request });
  }
}
