import type { ResponseItem, ResponseState } from '@tanya/contract';
import { withTimeout } from '../../platform/resilience/with-timeout.js';
import { endEvents, type ResponseEvent } from './response-events.js';
import { RUNNING } from './response-view.js';

/** An event with its number in the stream, from 0 on. It is encoded once, for its readers and for the log. */
export interface SequencedEvent {
  type: string;
  /** Begins with the type. */
  json: string;
}

export const sequenced = ({ type, ...fields }: ResponseEvent, number: number): SequencedEvent => ({
  type,
  json: JSON.stringify({ type, sequence_number: number, ...fields }),
});

/** The events of one response for a reader that may begin anywhere. */
export interface ResponseEventSource {
  /** The events from a number on. @returns null when the number is beyond the end, or the events are no longer kept */
  readFrom(number: number): Promise<{ events: SequencedEvent[]; isClosed: boolean } | null>;
  /** Whether a number that a client may have read is not beyond the end. A log may take a moment to reach it. */
  reaches(number: number): Promise<boolean>;
  /**
   * Resolves when there may be more events.
   * @param number of the next event to read, so that one which was added since the last read is not waited for
   */
  changed(number: number): Promise<void>;
  /** How the response ended, once its last event was read. */
  state(): Promise<ResponseState>;
  /** The model that answers; undefined before its first piece, and where only the end tells. */
  readonly model: string | undefined;
  /** Resolves when the model is known or will not be, at the latest after a time. */
  untilAnswered(ms: number): Promise<void>;
  /** Resolves `changed` at once, for a reader that has left. */
  wake(): void;
  /** Counts a reader. @returns releases it */
  addReader(): () => void;
}

/** The events of a response that runs on this node. */
export class EventBuffer implements ResponseEventSource {
  private readonly events: SequencedEvent[] = [];
  private readonly waiting = new Set<() => void>();
  private result: ResponseState = RUNNING;
  private readers = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private failure: Error | null = null;
  model: string | undefined;
  /** Whether nothing was added since the last call of `keepAlive`. */
  private isQuiet = false;

  /** @param unread called when no reader has read for `ms`; null for a response that is not stored */
  constructor(private readonly unread: { ms: number; stop: () => void } | null) {
    this.add([{ type: 'response.created' }, { type: 'response.in_progress' }]);
    this.touch();
  }

  add(events: readonly ResponseEvent[]): void {
    if (events.length === 0) return;
    this.isQuiet = false;
    for (const event of events) this.events.push(sequenced(event, this.events.length));
    this.wake();
  }

  /** Notes the model that writes the first piece. */
  answeredBy(model: string | undefined): void {
    if (this.model !== undefined || model === undefined) return;
    this.model = model;
    this.wake();
  }

  async untilAnswered(ms: number): Promise<void> {
    const isOpen = () => this.model === undefined && !this.isClosed;
    await withTimeout(
      ms,
      (async () => {
        while (isOpen()) await this.woken();
      })(),
    );
  }

  /**
   * Adds an event that changes nothing when none was added since the last call: clients give up on a silent stream.
   * @param output the items so far: OpenAI's client goes on from the response of the event, and would lack what came before it
   */
  keepAlive(output: readonly ResponseItem[]): void {
    if (this.isQuiet) this.add([{ type: 'response.in_progress', output }]);
    this.isQuiet = true;
  }

  /** Adds the last events. */
  close(state: ResponseState): void {
    clearTimeout(this.timer);
    this.result = state;
    this.isClosed = true;
    this.add(endEvents(state));
  }

  /** Ends without a last event, as the end of the answer is unknown: readers fail, and resume from the log. */
  abort(error: Error): void {
    clearTimeout(this.timer);
    this.isClosed = true;
    this.failure = error;
    this.wake();
  }

  /** Whether it has its last event. */
  get hasEnd(): boolean {
    return this.isClosed && this.failure === null;
  }

  jsonFrom(number: number): string[] {
    return this.events.slice(number).map(({ json }) => json);
  }

  async readFrom(number: number): Promise<{ events: SequencedEvent[]; isClosed: boolean } | null> {
    if (number > this.events.length) return null;
    if (number === this.events.length && this.failure !== null) throw this.failure;
    return { events: this.events.slice(number), isClosed: this.hasEnd };
  }

  async changed(number: number): Promise<void> {
    if (number < this.events.length || this.failure !== null) return;
    await this.woken();
  }

  async reaches(number: number): Promise<boolean> {
    return (await this.readFrom(number)) !== null;
  }

  wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }

  async state(): Promise<ResponseState> {
    return this.result;
  }

  addReader(): () => void {
    this.readers += 1;
    clearTimeout(this.timer);
    return () => {
      this.readers -= 1;
      this.touch();
    };
  }

  /** Restarts the time without a reader: a reader left, or one reads on another node. */
  touch(): void {
    clearTimeout(this.timer);
    if (this.unread === null || this.readers > 0 || this.isClosed) return;
    this.timer = setTimeout(this.unread.stop, this.unread.ms).unref();
  }

  private woken(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve));
  }
}
