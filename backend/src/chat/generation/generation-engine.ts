import { type GenerationError, LIMITS, type TerminalStatus } from '@tanya/contract';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Bus } from '../../platform/redis/bus.js';
import { toAppError } from '../../platform/errors/error-body.js';
import type { Owner } from '../../platform/session/identity.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import { ProviderError } from '../../providers/provider-error.js';
import type { ProviderEvent } from '../../providers/provider.js';
import { ProviderRegistry } from '../../providers/registry.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ChatEvents } from './chat-events.js';
import { FlushClock, DeltaBatcher } from './delta-batcher.js';
import { GENERATION_LOG, type GenerationLog } from './log/generation-log.js';
import { GenerationRun, type RunSpec } from './generation-run.js';
import { GenerationFinalizer, type GenerationResult, type FinalizedGeneration } from './generation-finalizer.js';
import { GenerationStore } from './generation-store.js';
import { ImageWriter } from './image-writer.js';
import { toStoredContent } from '../messages/message-content.js';
import { StallGuard } from '../nodes/stall-guard.js';

/** First wait before a terminal state is stored again, ms; doubled up to the ceiling. */
const SETTLE_FIRST_WAIT = 100;
const SETTLE_LAST_WAIT = 5_000;

const CUT_NOTICE = `The answer was cut at ${LIMITS.answerCharacters.toLocaleString('en')} characters.`;
const LENGTH_NOTICE = 'The answer reached the length that the model allows.';

const NOTHING_WRITTEN = new AppError('provider_error', {
  message: 'The model gave an empty answer. Please try again.',
});

/** How a run came to its end, before anything is stored. */
interface Conclusion {
  status: TerminalStatus;
  error: GenerationError | null;
  /** The stored content, where it is more than the run's text. */
  content?: string;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs generations: reads the provider, gives every piece its seq, emits and logs it, keeps Postgres up to date about
 * once a second, and ends each run exactly once. A run outlives the socket that asked for it.
 */
@Injectable()
export class GenerationEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runs = new Map<string, GenerationRun>();
  /** Ids that are being admitted: their rows may be there before their runs are. */
  private readonly reserved = new Set<string>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly clock = new FlushClock();
  private readonly stallGuard: StallGuard;
  private draining: Promise<void> | null = null;
  private checkpointing = false;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly finalizer: GenerationFinalizer,
    private readonly quotas: QuotaService,
    private readonly providers: ProviderRegistry,
    private readonly images: ImageWriter,
    private readonly events: ChatEvents,
    private readonly bus: Bus,
    private readonly metrics: Metrics,
  ) {
    this.stallGuard = new StallGuard(timings.nodeDead / 2, () => this.dropEnded());
  }

  onApplicationBootstrap(): void {
    this.timers.push(setInterval(() => void this.flushLogs(), this.timings.logFlush));
    this.timers.push(setInterval(() => void this.checkpoint(), this.timings.checkpoint));
    this.metrics.sample('tanya_generations_running', 'Answers that this process is writing', () => this.runs.size);
    this.bus.subscribe('generation:stop', ({ generationId }) => this.runs.get(generationId)?.abort('stopped'));
    this.bus.subscribe('owner:adopted', ({ from, to }) => this.moveRuns(from, to));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
  }

  /** No new work; what runs may finish for a while, the rest is interrupted with its text kept. */
  drain(): Promise<void> {
    this.draining ??= this.finishAll();
    return this.draining;
  }

  private async finishAll(): Promise<void> {
    const all = () => Promise.all([...this.runs.values()].map((run) => run.ended));
    await withTimeout(this.timings.shutdownGrace, all());
    for (const run of this.runs.values()) run.abort('shutdown');
    await withTimeout(SETTLE_LAST_WAIT, all());
    for (const timer of this.timers) clearInterval(timer);
    this.clock.close();
  }

  get isDraining(): boolean {
    return this.draining !== null;
  }

  get running(): number {
    return this.runs.size;
  }

  find(generationId: string): GenerationRun | undefined {
    return this.runs.get(generationId);
  }

  /** Announces an id before its row is committed, so that nobody takes it for one that was lost. */
  reserve(generationId: string): void {
    this.reserved.add(generationId);
  }

  /** For an admission that failed. */
  release(generationId: string): void {
    this.reserved.delete(generationId);
  }

  /** The generations that this process writes or is about to. */
  get ids(): string[] {
    return [...this.runs.keys(), ...this.reserved];
  }

  /** Starts writing an admitted generation once the caller has had its turn, so that the ack goes out before any event. */
  launch(spec: RunSpec): GenerationRun {
    const run = new GenerationRun(spec, spec.spender.owner);
    this.runs.set(run.id, run);
    this.reserved.delete(run.id);
    setImmediate(() => void this.write(run));
    return run;
  }

  /** Everything that is still in memory goes to the log, for somebody who is about to read it. */
  flush(run: GenerationRun): Promise<void> {
    return run.inLogOrder(async () => {
      const events = run.takeLogged();
      if (events.length === 0) return;
      try {
        if ((await this.log.append(run.id, events)) === 'closed' && !run.ending) run.abort('fenced');
      } catch {
        run.putBack(events);
      }
    });
  }

  /**
   * Stores an end and tells everybody, for a run of this process or for one whose process is gone. Whoever loses the
   * compare-and-set says nothing.
   * @param seq the last seq that was given out
   * @param isRepeat an earlier try failed on the way: its end may be stored, and then nobody has told of it
   * @returns the status that is stored; null when the generation is gone
   */
  async conclude(
    generationId: string,
    outcome: GenerationResult,
    seq: number,
    isRepeat = false,
  ): Promise<TerminalStatus | null> {
    const won = await this.finalizer.finish(generationId, outcome);
    const settled = won ?? (await this.store.settled(generationId));
    if (settled === null) return null;
    if (won !== null || isRepeat) {
      if (settled.account !== null) await this.quotas.committed(settled.account);
      await this.announce(generationId, settled, seq);
    }
    return settled.status;
  }

  private async write(run: GenerationRun): Promise<void> {
    try {
      const conclusion = await this.read(run);
      run.ending = true;
      await this.end(run, conclusion);
    } catch (error) {
      this.logger.error({ err: error, generationId: run.id }, 'a generation could not be ended');
    } finally {
      this.runs.delete(run.id);
      run.settle({ status: 'interrupted', text: run.text });
    }
  }

  /** Reads the provider to its end, whatever that is. */
  private async read(run: GenerationRun): Promise<Conclusion> {
    try {
      if (this.images.draws(run.spec.modelId)) {
        const prompt = await this.promptOf(run, false);
        return { status: 'complete', error: null, content: await this.images.draw(run, prompt?.messages ?? []) };
      }
      await this.readText(run, false);
      if (run.text === '') return { status: 'error', error: NOTHING_WRITTEN.toGenerationError() };
      return { status: 'complete', error: null };
    } catch (error) {
      return this.failure(run, error);
    }
  }

  private async readText(run: GenerationRun, shrink: boolean): Promise<void> {
    const prompt = await this.promptOf(run, shrink);
    if (prompt === null) throw new ProviderError('provider_context');
    run.note(prompt.notice);
    const { modelId, sampling, maxTokens } = run.spec;
    const { provider, model } = this.providers.forChat(modelId);
    const { signal } = run.controller;
    const batcher = new DeltaBatcher(this.clock, (type, text) => this.show(run, type, text));
    try {
      for await (const batch of provider.stream({ model, messages: prompt.messages, sampling, maxTokens }, signal)) {
        // Stopped in between: what nobody has seen is not written.
        signal.throwIfAborted();
        for (const event of batch) this.take(run, batcher, event);
        if (run.isCut) {
          run.note(CUT_NOTICE);
          return;
        }
        const pause = batcher.pause();
        if (pause !== null) await pause;
      }
    } catch (error) {
      const tooLong = error instanceof ProviderError && error.code === 'provider_context';
      if (tooLong && !shrink && run.seq === 0) await this.readText(run, true);
      else throw error;
    } finally {
      batcher.flush();
    }
  }

  /** What the model gets to read. A database that is away for a moment is waited for, as an admitted message deserves. */
  private async promptOf(run: GenerationRun, shrink: boolean): ReturnType<RunSpec['prompt']> {
    const giveUp = Date.now() + this.timings.firstToken;
    for (let wait = SETTLE_FIRST_WAIT; ; wait = Math.min(wait * 2, SETTLE_LAST_WAIT)) {
      try {
        return await run.spec.prompt(run.owner, shrink);
      } catch (error) {
        if (toAppError(error).code !== 'storage_unavailable' || Date.now() > giveUp) throw error;
      }
      await sleep(wait);
      run.controller.signal.throwIfAborted();
    }
  }

  private take(run: GenerationRun, batcher: DeltaBatcher, event: ProviderEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        batcher.push(event.type, event.text);
        return;
      case 'usage':
        run.usage = { promptTokens: event.promptTokens, completionTokens: event.completionTokens };
        return;
      case 'finish':
        run.finishReason = event.reason;
        if (event.reason === 'length') run.note(LENGTH_NOTICE);
    }
  }

  private show(run: GenerationRun, type: 'text-delta' | 'reasoning-delta', text: string): void {
    if (run.seq === 0) this.metrics.firstToken(run.age);
    const recorded = run.append(type, text);
    if (recorded === null || run.spec.target === null) return;
    // Whoever has a part in it, should it still be ours, asks for what was not said.
    if (this.stallGuard.isSure && run.abortReason !== 'fenced')
      this.events.emit(run.owner, 'generation:event', recorded);
  }

  private failure(run: GenerationRun, error: unknown): Conclusion {
    switch (run.abortReason) {
      case 'stopped':
        return { status: 'stopped', error: null };
      case 'shutdown':
      case 'fenced':
        return { status: 'interrupted', error: new AppError('interrupted').toGenerationError() };
      default: {
        if (error instanceof ProviderError) {
          this.metrics.providerFailed(error.code);
          this.logger.warn({ generationId: run.id, code: error.code, status: error.status }, 'the provider failed');
          const { code, message, retryAfter } = error;
          const failure = new AppError(code, { message, retryAfter }).toGenerationError();
          return { status: error.interrupted ? 'interrupted' : 'error', error: failure };
        }
        const known = toAppError(error);
        if (known.code === 'internal') this.logger.error({ err: error, generationId: run.id }, 'a generation failed');
        return { status: 'error', error: known.toGenerationError() };
      }
    }
  }

  /** Stores the end, for as long as it takes: an answer that was given must not be lost to a restarting database. */
  private async end(run: GenerationRun, conclusion: Conclusion): Promise<void> {
    await this.flush(run);
    const giveUp = Date.now() + this.timings.settleRetry;
    let outcome = this.outcome(run, conclusion);
    for (let wait = SETTLE_FIRST_WAIT; ; wait = Math.min(wait * 2, SETTLE_LAST_WAIT)) {
      try {
        const status = (await this.conclude(run.id, outcome, run.seq, wait > SETTLE_FIRST_WAIT)) ?? outcome.status;
        this.metrics.answered(outcome.status, run.age, run.usage);
        run.settle({ status, text: run.text });
        return;
      } catch (error) {
        this.logger.warn({ err: error, generationId: run.id }, 'the end of a generation could not be stored yet');
      }
      if (this.isDraining && Date.now() > giveUp) return;
      if (Date.now() > giveUp) {
        const failure = new AppError('storage_unavailable').toGenerationError();
        outcome = { ...outcome, status: 'error', error: failure, charged: false };
      }
      await sleep(wait);
    }
  }

  private outcome(run: GenerationRun, { status, error, content }: Conclusion): GenerationResult {
    return {
      status,
      error,
      content: content ?? (run.spec.target === null ? run.text : toStoredContent({ text: run.text })),
      reasoning: run.reasoning === '' ? null : run.reasoning,
      notice: run.notice,
      charged: status === 'complete' || (status === 'stopped' && run.text !== ''),
      finishReason: run.isCut ? 'length' : run.finishReason,
      promptTokens: run.usage?.promptTokens ?? null,
      completionTokens: run.usage?.completionTokens ?? null,
    };
  }

  /** The closing event, to the log and to the owner, and the owner's new quota. */
  private async announce(generationId: string, settled: FinalizedGeneration, seq: number): Promise<void> {
    const { owner, threadId, message, account, plan, status, error } = settled;
    const run = this.runs.get(generationId);
    const quota = account === null ? null : this.quotas.viewOf(account, plan);
    if (quota !== null) this.events.emit(owner, 'quota:changed', quota);
    if (message === null || threadId === null) return;
    const address = { generationId, threadId, messageId: message.id, seq: seq + 1 };
    const failed = status === 'error' || status === 'interrupted';
    const event = failed
      ? {
          ...address,
          type: 'error' as const,
          error: error ?? new AppError('interrupted').toGenerationError(),
          message,
        }
      : {
          ...address,
          type: 'end' as const,
          message,
          quota: quota ?? (await this.quotas.quotaOf({ ...plan, owner })),
        };
    run?.record(event);
    this.events.emit(owner, 'generation:event', event);
    this.events.emit(owner, 'thread:changed', { threadId });
    // Should the log be away, its readers find the end in Postgres.
    if (run !== undefined) await this.flush(run);
    else await this.log.append(generationId, [event]).catch(() => undefined);
  }

  /** Gives up what others have ended while this process stood still. */
  private async dropEnded(): Promise<void> {
    for (const id of await this.store.endedOf([...this.runs.keys()])) {
      const run = this.runs.get(id);
      if (run !== undefined && !run.ending) run.abort('fenced');
    }
  }

  private async flushLogs(): Promise<void> {
    void this.stallGuard.tick();
    await Promise.all([...this.runs.values()].filter((run) => !run.ending).map((run) => this.flush(run)));
  }

  private async checkpoint(): Promise<void> {
    if (this.checkpointing) return;
    const chunks = [...this.runs.values()]
      .filter((run) => !run.ending && run.spec.target !== null)
      .flatMap((run) => run.takeUnsaved() ?? []);
    if (chunks.length === 0) return;
    this.checkpointing = true;
    try {
      await this.store.checkpoint(chunks);
      for (const { generationId } of chunks) this.runs.get(generationId)?.saved();
    } catch (error) {
      this.logger.warn({ err: error }, 'running answers could not be saved; they are tried again');
    } finally {
      this.checkpointing = false;
    }
  }

  private moveRuns(from: Owner, to: Owner): void {
    for (const run of this.runs.values()) if (run.owner === from) run.owner = to;
  }
}
