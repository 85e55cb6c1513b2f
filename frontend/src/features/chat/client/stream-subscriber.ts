import { type GenerationEvent, type GenerationResumed, isOpen, type Message } from '@tanya/contract';
import { ApiError } from '../../../app/api/api-error';
import type { ChatObserver, ChatSocket } from './chat-ports';
import { entryFromMessage } from './generation-reducer';
import type { StreamingStore } from './streaming-store';
import type { ThreadCache } from './thread-cache';

const RESUME_TIMEOUT_MS = 15_000;
const RESUME_RETRY_MS = 2_000;

/** A running answer without events for this long is resumed: its end may have been lost between two nodes. */
const SILENCE_MS = 10_000;

/**
 * Receives the events of running answers. Live and resumed events take the same path, a sequence gap triggers a resume,
 * and the end writes the final message to the query cache in one update. The quota after it comes with `quota:changed`: that
 * of a resumed end may be an old one.
 */
export class StreamSubscriber {
  /** The live events that arrived during the resume of an answer, by generation. */
  private readonly resuming = new Map<string, GenerationEvent[]>();
  /** Sequence number of the last resume request, to detect a resume that did not close the gap. */
  private readonly resumedAfter = new Map<string, number>();
  /** Timers of resumes that are tried again, by generation: each event after an open gap asks for one. */
  private readonly retries = new Map<string, ReturnType<typeof setTimeout>>();
  /** Time of the last event of each answer, and the timer that checks it. */
  private readonly silenceTimers = new Map<string, { lastEventAt: number; timer: ReturnType<typeof setInterval> }>();
  /** Generations whose events were skipped, because their thread was not in the cache. */
  private readonly skipped = new Set<string>();
  /** Generations whose closing event was applied. A later event of one of them changes nothing. */
  private readonly closed = new Set<string>();

  constructor(
    private readonly socket: ChatSocket,
    private readonly cache: ThreadCache,
    private readonly streaming: StreamingStore,
    private readonly observer: ChatObserver,
  ) {}

  /** Subscribes to an answer from its first event. Text that was already received stays. */
  open(answer: { generationId: string; threadId: number; messageId: number }): void {
    this.streaming.open(answer);
    this.startSilenceTimer(answer.generationId);
    this.observer.answerStarted(answer.threadId);
    // An ack may arrive after the first events, or even after the last one.
    const wasSkipped = this.skipped.delete(answer.generationId);
    const wasClosed = this.closed.delete(answer.generationId);
    if (wasSkipped || wasClosed) void this.resume(answer.generationId);
  }

  /** Subscribes to the answers that were running when these messages were read, such as after a reload. */
  attach(messages: readonly Message[]): void {
    for (const { generationId, threadId, id: messageId, status } of messages) {
      if (!isOpen(status) || !generationId || this.streaming.current(generationId)) continue;
      this.open({ generationId, threadId, messageId });
      void this.resume(generationId);
    }
  }

  /** Applies a live event, or buffers it during a resume. A closing event does not wait: it carries the whole message. */
  receive(event: GenerationEvent): void {
    const { generationId } = event;
    if (this.closed.has(generationId)) return;
    const buffered = this.resuming.get(generationId);
    if (buffered !== undefined && !isClosing(event)) buffered.push(event);
    else if (this.streaming.current(generationId) || this.openFrom(event)) this.apply(event);
  }

  /** Requests all events after the last one that was applied; `arrived` are later ones that are here already. */
  async resume(generationId: string, arrived: GenerationEvent[] = []): Promise<void> {
    if (this.resuming.has(generationId)) return;
    this.resuming.set(generationId, arrived);
    try {
      const afterSeq = this.streaming.current(generationId)?.lastSeq ?? 0;
      this.resumedAfter.set(generationId, afterSeq);
      const answer = await this.socket.request('generation:resume', { generationId, afterSeq }, RESUME_TIMEOUT_MS);
      this.applyResumed(generationId, answer);
    } catch (error) {
      this.handleResumeError(generationId, error);
    }
  }

  /** Resumes the known answers on a new connection. Events of all others were lost, maybe with their end. */
  resumeAll(): void {
    const known = this.streaming.all();
    this.observer.connected(known.map(({ threadId }) => threadId));
    for (const { generationId } of known) void this.resume(generationId);
  }

  /** Subscribes to an answer that another tab requested; returns false if its events are not to be applied. */
  private openFrom(event: GenerationEvent): boolean {
    const { generationId, threadId, messageId } = event;
    const known = this.cache.message(threadId, messageId);
    // A final message never changes: this event was sent before the end.
    if (known && !isOpen(known.status)) return false;
    if (!isClosing(event)) this.observer.answerStarted(threadId);
    if (!this.cache.has(threadId)) {
      // The page does not show the thread; the mark in the thread list is enough.
      this.skipped.add(generationId);
      if (isClosing(event)) {
        this.closed.add(generationId);
        this.observer.answerFinished(event.message);
      }
      return false;
    }
    if (!known) void this.cache.refresh(threadId);
    this.streaming.open({ generationId, threadId, messageId });
    this.startSilenceTimer(generationId);
    return true;
  }

  /** Resumes the answer each time it was silent for `SILENCE_MS`, until it is closed. */
  private startSilenceTimer(generationId: string): void {
    if (this.silenceTimers.has(generationId)) return this.recordEvent(generationId);
    const timer = setInterval(() => {
      const silentMs = Date.now() - (this.silenceTimers.get(generationId)?.lastEventAt ?? Date.now());
      if (silentMs >= SILENCE_MS && this.socket.isConnected()) void this.resume(generationId);
    }, SILENCE_MS);
    this.silenceTimers.set(generationId, { lastEventAt: Date.now(), timer });
  }

  private recordEvent(generationId: string): void {
    const entry = this.silenceTimers.get(generationId);
    if (entry) entry.lastEventAt = Date.now();
  }

  private apply(event: GenerationEvent): void {
    this.recordEvent(event.generationId);
    const applied = this.streaming.receive(event);
    if (applied.outcome === 'gap') this.fillGap(event);
    if (applied.outcome === 'finished') this.finish(event.generationId, applied.message);
  }

  private fillGap(event: GenerationEvent): void {
    const { generationId } = event;
    const lastSeq = this.streaming.current(generationId)?.lastSeq ?? 0;
    if (this.resumedAfter.get(generationId) === lastSeq) this.resumeLater(generationId);
    else void this.resume(generationId, [event]);
  }

  private finish(generationId: string, message: Message): void {
    this.cache.replaceMessage(message);
    this.close(generationId);
    this.closed.add(generationId);
    this.observer.answerFinished(message);
  }

  private applyResumed(generationId: string, answer: GenerationResumed): void {
    const buffered = this.endResume(generationId);
    if (answer.outcome === 'resync') this.resync(generationId, answer.message, answer.seq);
    const events = answer.outcome === 'resumed' ? [...answer.events, ...buffered] : buffered;
    for (const event of events) if (this.streaming.current(generationId)) this.apply(event);
  }

  private resync(generationId: string, message: Message | null, seq: number | undefined): void {
    const entry = this.streaming.current(generationId);
    if (!entry) return;
    if (message && isOpen(message.status)) {
      this.streaming.replace(entryFromMessage(message, generationId, seq));
    } else if (message) {
      this.finish(generationId, message);
    } else {
      this.close(generationId);
      void this.cache.refresh(entry.threadId);
    }
  }

  private handleResumeError(generationId: string, error: unknown): void {
    this.endResume(generationId);
    const entry = this.streaming.current(generationId);
    if (!entry) return;
    if (error instanceof ApiError && error.body && !error.body.retryable) {
      this.close(generationId);
      void this.cache.refresh(entry.threadId);
    } else if (this.socket.isConnected()) {
      // Without a connection, the next connection resumes all answers.
      this.resumeLater(generationId);
    }
  }

  private resumeLater(generationId: string): void {
    if (this.retries.has(generationId)) return;
    const retry = () => {
      this.retries.delete(generationId);
      void this.resume(generationId);
    };
    this.retries.set(generationId, setTimeout(retry, RESUME_RETRY_MS));
  }

  private close(generationId: string): void {
    this.streaming.close(generationId, this.cache.afterNotified);
    this.resumedAfter.delete(generationId);
    clearTimeout(this.retries.get(generationId));
    this.retries.delete(generationId);
    clearInterval(this.silenceTimers.get(generationId)?.timer);
    this.silenceTimers.delete(generationId);
  }

  /** @returns the live events that arrived during it */
  private endResume(generationId: string): GenerationEvent[] {
    const buffered = this.resuming.get(generationId) ?? [];
    this.resuming.delete(generationId);
    return buffered;
  }
}

type ClosingEvent = Extract<GenerationEvent, { message: Message }>;

function isClosing(event: GenerationEvent): event is ClosingEvent {
  return event.type === 'end' || event.type === 'error';
}
