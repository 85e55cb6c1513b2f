import type { GenerationEvent, GenerationResumed, Message, Quota } from '@tanya/contract';
import { ApiError } from '../../../app/api/api-error';
import type { ChatObserver, ChatSocket } from './chat-ports';
import { entryFromMessage } from './generation-reducer';
import type { StreamingStore } from './streaming-store';
import type { ThreadCache } from './thread-cache';

const RESUME_TIMEOUT_MS = 15_000;
const RESUME_RETRY_MS = 2_000;

/** An answer that is silent for this long is asked after: its end may have been lost on the way between two servers. */
const SILENCE_MS = 10_000;

/**
 * Follows the answers that are being written. Live and replayed events go through one door; a missed one is asked for
 * by its number, and at the end the message goes to the query cache in one write.
 */
export class StreamSubscriber {
  private readonly resuming = new Set<string>();
  /** Events that arrived while earlier ones were being asked for. */
  private readonly held = new Map<string, GenerationEvent[]>();
  /** Where the last question for missed events began, to notice an answer that led nowhere. */
  private readonly askedAfter = new Map<string, number>();

  /** When something was last heard of an answer, and the timer that looks at it. */
  private readonly watches = new Map<string, { heardAt: number; timer: ReturnType<typeof setInterval> }>();

  /** Answers whose events came before this page knew what they belong to. */
  private readonly missed = new Set<string>();

  constructor(
    private readonly socket: ChatSocket,
    private readonly cache: ThreadCache,
    private readonly streaming: StreamingStore,
    private readonly observer: ChatObserver,
  ) {}

  /** Begins to follow an answer from its first event; what is known of it already stays. */
  open(answer: { generationId: string; threadId: number; messageId: number }): void {
    this.streaming.open(answer);
    this.watch(answer.generationId);
    this.observer.answering(answer.threadId);
    // An ack may come after the first events, or even after the last.
    if (this.missed.delete(answer.generationId)) void this.resume(answer.generationId);
  }

  /** Takes up the answers that were being written when these messages were read, as after a reload. */
  attach(messages: readonly Message[]): void {
    for (const { generationId, threadId, id: messageId, status } of messages) {
      if (status !== 'streaming' || !generationId || this.streaming.current(generationId)) continue;
      this.open({ generationId, threadId, messageId });
      void this.resume(generationId);
    }
  }

  receive(event: GenerationEvent): void {
    const { generationId, threadId, messageId } = event;
    if (this.resuming.has(generationId)) {
      this.held.get(generationId)?.push(event);
      return;
    }
    if (!this.streaming.current(generationId)) {
      const known = this.cache.message(threadId, messageId);
      // A final message never changes: this is an echo from before its end.
      if (known && known.status !== 'streaming') return;
      const isClosing = event.type === 'end' || event.type === 'error';
      if (!isClosing) this.observer.answering(threadId);
      // Somebody else's tab asked. Where this page shows the thread it follows; elsewhere the mark in the list is enough.
      if (!this.cache.has(threadId)) {
        this.missed.add(generationId);
        return isClosing ? this.observer.answered(event.message) : undefined;
      }
      if (!known) void this.cache.refresh(threadId);
      this.streaming.open({ generationId, threadId, messageId });
      this.watch(generationId);
    }
    this.apply(event);
  }

  /** Asks for everything after the last event that is known of an answer. */
  async resume(generationId: string, arrived: GenerationEvent[] = []): Promise<void> {
    if (this.resuming.has(generationId)) return;
    this.resuming.add(generationId);
    this.held.set(generationId, arrived);
    try {
      const afterSeq = this.streaming.current(generationId)?.lastSeq ?? 0;
      this.askedAfter.set(generationId, afterSeq);
      const answer = await this.socket.request('generation:resume', { generationId, afterSeq }, RESUME_TIMEOUT_MS);
      this.resumed(generationId, answer);
    } catch (error) {
      this.resumeFailed(generationId, error);
    }
  }

  resumeAll(): void {
    for (const { generationId } of this.streaming.all()) void this.resume(generationId);
  }

  /** Looks now and then whether an answer has fallen silent, for as long as it is followed. */
  private watch(generationId: string): void {
    if (this.watches.has(generationId)) return this.hear(generationId);
    const timer = setInterval(() => {
      const silence = Date.now() - (this.watches.get(generationId)?.heardAt ?? Date.now());
      if (silence >= SILENCE_MS && this.socket.isConnected()) void this.resume(generationId);
    }, SILENCE_MS);
    this.watches.set(generationId, { heardAt: Date.now(), timer });
  }

  private hear(generationId: string): void {
    const watch = this.watches.get(generationId);
    if (watch) watch.heardAt = Date.now();
  }

  private apply(event: GenerationEvent): void {
    this.hear(event.generationId);
    const applied = this.streaming.receive(event);
    if (applied.outcome === 'gap') this.fillGap(event);
    if (applied.outcome === 'finished') this.finish(event.generationId, applied.message, applied.quota);
  }

  private fillGap(event: GenerationEvent): void {
    const { generationId } = event;
    const lastSeq = this.streaming.current(generationId)?.lastSeq ?? 0;
    if (this.askedAfter.get(generationId) === lastSeq) this.resumeLater(generationId);
    else void this.resume(generationId, [event]);
  }

  private finish(generationId: string, message: Message, quota: Quota | null): void {
    this.cache.replaceMessage(message);
    this.forget(generationId);
    if (quota) this.cache.setQuota(quota);
    this.observer.answered(message);
  }

  private resumed(generationId: string, answer: GenerationResumed): void {
    const held = this.release(generationId);
    if (answer.outcome === 'resync') this.resynced(generationId, answer.message, answer.seq);
    const events = answer.outcome === 'resumed' ? [...answer.events, ...held] : held;
    for (const event of events) if (this.streaming.current(generationId)) this.apply(event);
  }

  private resynced(generationId: string, message: Message | null, seq: number | undefined): void {
    const entry = this.streaming.current(generationId);
    if (!entry) return;
    if (message?.status === 'streaming') {
      this.streaming.replace(entryFromMessage(message, generationId, seq));
    } else if (message) {
      this.finish(generationId, message, null);
    } else {
      this.forget(generationId);
      void this.cache.refresh(entry.threadId);
    }
  }

  private resumeFailed(generationId: string, error: unknown): void {
    this.release(generationId);
    const entry = this.streaming.current(generationId);
    if (!entry) return;
    if (error instanceof ApiError && error.body && !error.body.retryable) {
      this.forget(generationId);
      void this.cache.refresh(entry.threadId);
    } else if (this.socket.isConnected()) {
      // Without a connection the next one asks again.
      this.resumeLater(generationId);
    }
  }

  private resumeLater(generationId: string): void {
    setTimeout(() => {
      if (this.streaming.current(generationId)) void this.resume(generationId);
    }, RESUME_RETRY_MS);
  }

  private forget(generationId: string): void {
    this.streaming.close(generationId, this.cache.afterNotified);
    this.askedAfter.delete(generationId);
    clearInterval(this.watches.get(generationId)?.timer);
    this.watches.delete(generationId);
  }

  private release(generationId: string): GenerationEvent[] {
    const held = this.held.get(generationId) ?? [];
    this.resuming.delete(generationId);
    this.held.delete(generationId);
    return held;
  }
}
