import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageStatus } from '@tanya/contract';
import { boundOf } from '../pace.js';
import type { Page, Send } from '../page/page.js';
import { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { spread } from './spread.js';

/** Pause between two words of an answer, ms: five tokens a second. */
const WORD_MS = 200;

/**
 * Words of an answer at the shortest timings; 60 to 180 at production timings, which are 12 to 36 s. The first answer of a
 * client has a part of them, so that sends and ends are spread from the beginning.
 */
const LEAST_WORDS = 10;
const MOST_WORDS = 30;

/** Time over which the clients begin, at the shortest timings, ms. */
const RAMP_MS = 1_500;

/** Load before an injection, so that sends and ends meet it too, at the shortest timings, ms. */
const WARM_UP_MS = 2_000;

/** Time that a node needs to end an answer, or the reaper after the node has died, at the shortest timings, ms. */
const END_TIMEOUT_MS = 12_000;

/** Interval at which a client looks for the end of its answer, ms. */
const POLL_MS = 250;

/** Pages that are opened at once. */
const OPENED_AT_ONCE = 25;

/** Closed-loop load: clients of different owners, each of which sends its next message when its answer has ended. */
export class StreamLoad {
  private readonly sends: Send[] = [];
  /** When each send began, by performance.now(). */
  private readonly sentAt: number[] = [];
  private isOver = false;
  private observedAt = 0;
  /** Times from the injection to an interrupted end, ms. */
  private readonly interruptions: number[] = [];
  private clients: Promise<void>[] = [];

  private constructor(
    private readonly scenario: Scenario,
    private readonly pages: Page[],
  ) {}

  /** Opens a page for each of `scenario.crowdSize` owners, and waits until their answers end and begin steadily. */
  static async start(scenario: Scenario): Promise<StreamLoad> {
    const owners = await scenario.harness.owners(scenario.crowdSize);
    const pages: Page[] = [];
    while (pages.length < owners.length) {
      const next = owners.slice(pages.length, pages.length + OPENED_AT_ONCE);
      pages.push(...(await Promise.all(next.map((owner) => scenario.page(owner)))));
    }
    const load = new StreamLoad(scenario, pages);
    load.clients = pages.map((page, index) => load.stream(page, index));
    const isStreaming = (page: Page) => [...page.answers.values()].some(({ text }) => text !== '');
    await scenario.until(() => pages.every(isStreaming), 'the first words of all');
    await sleep(WARM_UP_MS * scenario.pace.stretch);
    return load;
  }

  /** Begins the measurement: called right before the injection. */
  observe(): void {
    this.observedAt = performance.now();
    for (const page of this.pages) {
      page.losses.length = 0;
      page.restartSilence();
    }
  }

  /** Lets every client finish its answer, and notes the figures of the report. */
  async finish(...allowed: MessageStatus[]): Promise<void> {
    const silences = this.pages.map((page) => page.longestSilence);
    const met = this.sentAt.filter((time) => time > this.observedAt).length;
    this.note(`${met} sends since the injection`);
    this.scenario.expect(met > 0, 'no send met the injection');
    this.isOver = true;
    await Promise.all(this.clients);
    const losses = this.pages.flatMap((page) => page.losses);
    this.note(`clients back within ${spread(silences)}`);
    if (losses.length > 0) this.note(`${losses.length} connections lost, open again within ${spread(losses)}`);
    if (this.interruptions.length > 0) this.note(`interrupted answers ended within ${spread(this.interruptions)}`);
    this.expectEnds(allowed);
  }

  note(text: string): void {
    this.scenario.notes.push(text);
  }

  private async stream(page: Page, index: number): Promise<void> {
    const { scenario } = this;
    const { stretch } = scenario.pace;
    const random = new Random(index);
    await sleep((index / this.pages.length) * RAMP_MS * stretch);
    for (let isFirst = true; !this.isOver; isFirst = false) {
      const whole = random.between(LEAST_WORDS, MOST_WORDS) * stretch;
      const words = isFirst ? random.between(1, whole) : whole;
      this.sentAt.push(performance.now());
      const send = await scenario.taken({ page, words, pace: WORD_MS });
      if (send.started === null) return;
      this.sends.push(send);
      if (!(await this.isEnded(send, words * WORD_MS + END_TIMEOUT_MS * stretch))) return;
    }
  }

  private async isEnded(send: Send, timeoutMs: number): Promise<boolean> {
    const answer = this.scenario.answerOf(send);
    for (const deadline = performance.now() + boundOf(timeoutMs); !answer.isClosed; await sleep(POLL_MS)) {
      if (performance.now() < deadline) continue;
      this.scenario.violation(`timed out waiting for the end of ${send.started?.generationId}`);
      return false;
    }
    if (answer.status === 'interrupted') this.interruptions.push(performance.now() - this.observedAt);
    return true;
  }

  private expectEnds(allowed: MessageStatus[]): void {
    const counts = new Map<string, number>();
    for (const send of this.sends) {
      const { status, final } = this.scenario.answerOf(send);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (!allowed.includes(status as MessageStatus))
        this.scenario.violation(`it ended ${status} ${final?.error?.code ?? ''} where ${allowed.join(' or ')} was due`);
    }
    for (const [status, count] of counts) this.note(`${count} ${status}`);
  }
}
