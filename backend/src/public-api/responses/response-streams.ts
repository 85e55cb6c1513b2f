import type { ResponseState } from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DetachedGenerations, type DetachedStart } from '../../chat/generation/detached/detached-generations.js';
import { DetachedLog } from '../../chat/generation/detached/detached-log.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import type { Owner } from '../../identity/identity.js';
import { Bus, topic } from '../../platform/bus/bus.js';
import { toAppError } from '../../platform/errors/error-body.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { LoggedSource } from './logged-source.js';
import type { ResponseEvents } from './response-events.js';
import { type ResponseEventSource, EventBuffer } from './event-buffer.js';
import { endedWith, failedWith, incompleteReason, isFailure } from './response-view.js';

/** A client reads the stream of a response that may run on another node. */
const responseRead = topic<{ id: string }>('api-response:read');

interface StreamOptions {
  owner: Owner;
  generation: DetachedStart;
  /** Those of its answer. */
  events: ResponseEvents;
  /** Whether the events are logged for readers that resume, and the response runs on without a reader for a time. */
  isStored: boolean;
  /** Stores the end; called before the last event is sent. */
  onEnd: (state: ResponseState) => Promise<void>;
}

/** The streams of responses: those that run on this node, and the logs of all. */
@Injectable()
export class ResponseStreams implements OnModuleInit {
  private readonly running = new Map<string, EventBuffer>();

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly generations: DetachedGenerations,
    private readonly log: DetachedLog,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.bus.subscribe(responseRead, ({ id }) => this.running.get(id)?.touch());
  }

  /** Records a generation that this node has started. */
  start(options: StreamOptions): ResponseEventSource {
    const { owner, generation, isStored } = options;
    const id = generation.generationId;
    const stop = () => void this.generations.abandon(owner, id);
    const buffer = new EventBuffer(isStored ? { ms: this.timings.unreadResponse, stop } : null);
    this.running.set(id, buffer);
    void this.record(buffer, options).finally(() => this.running.delete(id));
    return buffer;
  }

  /** Replays an answer that another request has started and that is no longer recorded. */
  replay(options: Pick<StreamOptions, 'owner' | 'generation' | 'events'>): ResponseEventSource {
    const buffer = new EventBuffer(null);
    void this.follow(buffer, { ...options, isStored: false, onEnd: async () => undefined });
    return buffer;
  }

  /** @param state how the response ended @returns null when its events are no longer kept */
  async find(id: string, state: () => Promise<ResponseState>): Promise<ResponseEventSource | null> {
    const buffer = this.running.get(id);
    if (buffer !== undefined) return buffer;
    if (!(await this.log.exists(id))) return null;
    return new LoggedSource({
      id,
      log: this.log,
      beat: () => void this.bus.publish(responseRead, { id }),
      beatIntervalMs: this.timings.unreadResponse / 4,
      state,
    });
  }

  private async record(buffer: EventBuffer, options: StreamOptions): Promise<void> {
    if (!options.isStored) return this.follow(buffer, options);
    const id = options.generation.generationId;
    let logged = 0;
    let lastFlush = Promise.resolve();
    const flush = (isLast: boolean) =>
      (lastFlush = lastFlush.then(async () => {
        const events = buffer.jsonFrom(logged);
        if (events.length === 0 && !isLast) return;
        try {
          await this.log.append(id, logged, events, isLast);
          logged += events.length;
        } catch (error) {
          if (isLast) {
            const fields = { err: error, ...options.generation.ids };
            this.logger.warn(fields, 'response log append failed; its stream cannot be resumed');
          }
        }
      }));
    void flush(false);
    const timer = setInterval(() => void flush(false), this.timings.logFlush);
    await this.follow(buffer, options);
    clearInterval(timer);
    await flush(buffer.hasEnd);
  }

  /** Passes the answer on to the buffer until its end. Never rejects. */
  private async follow(
    buffer: EventBuffer,
    { owner, generation, events, isStored, onEnd }: StreamOptions,
  ): Promise<void> {
    const { generationId: id } = generation;
    // A stream is quiet from one tick to the next, so it is silent for two intervals at most, and a tick may be late.
    const timer = setInterval(() => buffer.keepAlive(events.output), this.timings.keepAlive / 2.5);
    let state: ResponseState;
    try {
      const answer = await this.generations.follow(owner, generation, (piece, model) => {
        buffer.answeredBy(model);
        buffer.add(events.eventsOf(piece));
      });
      const [{ finishReason, calls = [] }] = answer.choices;
      buffer.add(events.end(incompleteReason(finishReason), calls));
      state = endedWith(answer, events.output);
    } catch (error) {
      // The answer may be complete, which a client that resumes will read.
      if (isStored && !isFailure(error)) {
        const fields = { err: error, ...generation.ids };
        this.logger.warn(fields, 'end of the response not read; its stream breaks off, to be resumed');
        // Clients resume from the log, which may not be written yet.
        this.running.delete(id);
        return buffer.abort(toAppError(error));
      }
      state = failedWith(toAppError(error));
    } finally {
      clearInterval(timer);
    }
    await onEnd(state).catch((error: unknown) =>
      this.logger.warn({ err: error, ...generation.ids }, 'response end not stored; it is read from its generation'),
    );
    buffer.close(state);
  }
}
