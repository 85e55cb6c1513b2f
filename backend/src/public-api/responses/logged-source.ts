import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseState } from '@tanya/contract';
import type { DetachedLog } from '../../chat/generation/detached/detached-log.js';
import { type ResponseEventSource, sequenced, type SequencedEvent } from './event-buffer.js';
import { endEvents } from './response-events.js';

/** How often the log of another node is read, in ms. */
const POLL_INTERVAL_MS = 200;

/** Time in which the log reaches what a client has read on the other node, in ms: it is written at every `logFlush`. */
const CATCH_UP_MS = 2_000;

/** A response that has ended without a last event in its log gets one after this time: its node died. */
const LOST_END_MS = 5_000;

/** The type of an encoded event. */
const TYPE = /^\{"type":"([^"]*)"/;

interface LoggedSourceOptions {
  id: string;
  log: DetachedLog;
  /** Keeps the response running on its node. */
  beat: () => void;
  beatIntervalMs: number;
  state: () => Promise<ResponseState>;
}

/** The events of a response that ran here before, or runs on another node. */
export class LoggedSource implements ResponseEventSource {
  readonly model = undefined;
  private beatAt = 0;
  private endedAt: number | null = null;

  constructor(private readonly options: LoggedSourceOptions) {}

  async readFrom(number: number): Promise<{ events: SequencedEvent[]; isClosed: boolean } | null> {
    const { id, log } = this.options;
    const read = await log.readFrom(id, number);
    if (read === null) return null;
    const events = read.events.map((json) => ({ type: TYPE.exec(json)?.[1] ?? '', json }));
    if (read.isClosed || events.length > 0) return { events, isClosed: read.isClosed };
    const lost = await this.lostEnd(number);
    return { events: lost, isClosed: lost.length > 0 };
  }

  async reaches(number: number): Promise<boolean> {
    const { id, log } = this.options;
    for (const deadline = performance.now() + CATCH_UP_MS; ; await this.changed()) {
      if ((await log.readFrom(id, number)) !== null) return true;
      if (performance.now() > deadline) return false;
    }
  }

  async changed(): Promise<void> {
    if (Date.now() - this.beatAt >= this.options.beatIntervalMs) {
      this.beatAt = Date.now();
      this.options.beat();
    }
    await sleep(POLL_INTERVAL_MS);
  }

  state(): Promise<ResponseState> {
    return this.options.state();
  }

  wake(): void {
    // The next poll is near.
  }

  async untilAnswered(): Promise<void> {
    // The events of another node do not tell before the end.
  }

  /** Readers of a log are counted by their beats. */
  addReader(): () => void {
    return () => undefined;
  }

  private async lostEnd(number: number): Promise<SequencedEvent[]> {
    const state = await this.options.state();
    if (state.status === 'in_progress') return [];
    this.endedAt ??= Date.now();
    if (Date.now() - this.endedAt < LOST_END_MS) return [];
    return endEvents(state).map((event, at) => sequenced(event, number + at));
  }
}
