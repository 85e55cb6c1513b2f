import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode, GenerationStartPayload, Message, MessageStatus } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { echoText, type Script } from '../harness/scripted-answers.js';
import { faultOfError } from './error-check.js';
import type { Harness } from './fault-harness.js';
import { onThisMachine, type Pace } from './pace.js';
import { Page, type Send } from './page.js';
import type { TestUser } from './test-user.js';
import type { Random } from './random.js';
import type { ShownAnswer } from './shown-answer.js';
import type { TcpProxy } from './tcp-proxy.js';

/** Whatever is waited for must be there by then at the shortest waits, ms: what takes 45 s at true values. */
const WAIT_TIMEOUT_MS = 12_000;

export interface SendOptions extends Partial<GenerationStartPayload> {
  words?: number;
  /** Milliseconds between two words. */
  pace?: number;
  /** How the model answers, in place of so many words; then `expected` says what becomes of it. */
  script?: Script | Script[];
  expected?: string | null;
  user?: TestUser;
  page?: Page;
  isSingle?: boolean;
}

/** One injection: who is there, what they send, what is done to them, and everything that is found wrong. */
export class Scenario {
  readonly sends: Send[] = [];
  readonly pages: Page[] = [];
  readonly violations: string[] = [];
  readonly notes: string[] = [];
  private readonly lines: TcpProxy[] = [];
  private readonly again = new Set<Send>();
  private readonly gone = new Set<Send>();

  constructor(
    readonly harness: Harness,
    readonly random: Random,
    /** Streams at once where a fault hits many. */
    readonly crowdSize: number,
    readonly pace: Pace,
  ) {}

  async page(user: TestUser = this.harness.member(), url = this.harness.front.url): Promise<Page> {
    const page = await Page.open(user, url);
    this.pages.push(page);
    return page;
  }

  /** Sends one message, whoever it is from. */
  async send(options: SendOptions = {}): Promise<Send> {
    const { words = 40, pace = 8, script, user, page: given, expected, ...fields } = options;
    const page = given ?? (await this.page(user));
    const mark = this.harness.mark();
    const text = script === undefined ? `${mark} [[words=${words} pace=${pace}]]` : mark;
    if (script !== undefined) this.harness.script(mark, ...[script].flat());
    const whole = expected === undefined ? (script === undefined ? echoText(text, words) : null) : expected;
    const send = page.send(text, whole, fields);
    this.sends.push(send);
    return send;
  }

  /** Sends one message and waits until it is taken. */
  async taken(options: SendOptions = {}): Promise<Send> {
    const send = await this.send(options);
    await send.answered;
    if (send.started === null) this.violation(`it was refused: ${send.refusal?.code ?? 'the page was closed'}`);
    return send;
  }

  /** Sends one message and waits until its answer shows. */
  async shown(options: SendOptions = {}): Promise<Send> {
    const send = await this.taken(options);
    await this.until(() => this.answerOf(send).text !== '' || this.answerOf(send).isClosed, 'the first text');
    return send;
  }

  /** As many streams as this injection is for, all of them showing something. */
  async crowd(options: SendOptions = {}): Promise<Send[]> {
    const pace = Math.max(8, this.crowdSize / 2);
    return Promise.all(Array.from({ length: this.crowdSize }, () => this.shown({ words: 60, pace, ...options })));
  }

  answerOf(send: Send): ShownAnswer {
    return send.page.answer(send.started?.generationId ?? '');
  }

  /** Waits for the end of an answer. */
  async end(send: Send, ...allowed: (MessageStatus | 'gone')[]): Promise<Message | null> {
    if (send.started === null) return null;
    const answer = this.answerOf(send);
    await this.until(() => answer.isClosed, `the end of ${send.started.generationId}`);
    if (!allowed.includes(answer.status)) {
      const why = answer.final?.error?.code ?? '';
      this.violation(`it ended ${answer.status} ${why} where ${allowed.join(' or ')} was due`);
    }
    return answer.final ?? null;
  }

  async endAll(sends: Send[], ...allowed: (MessageStatus | 'gone')[]): Promise<void> {
    await Promise.all(sends.map((send) => this.end(send, ...allowed)));
  }

  /** An end that is no success, and why. */
  async failed(send: Send, status: 'error' | 'interrupted', ...codes: ErrorCode[]): Promise<Message | null> {
    const message = await this.end(send, status);
    const code = message?.error?.code;
    if (message !== null && (code === undefined || !codes.includes(code)))
      this.violation(`it failed with ${code} where ${codes.join(' or ')} was due`);
    return message;
  }

  /** Some time, the same for the same seed. */
  async moment(low: number, high: number): Promise<number> {
    const ms = this.random.between(low, high);
    this.notes.push(`${ms} ms`);
    await sleep(ms);
    return ms;
  }

  async until(condition: () => boolean | Promise<boolean>, what: string, timeout = WAIT_TIMEOUT_MS): Promise<boolean> {
    for (
      const deadline = performance.now() + onThisMachine(timeout * this.pace.stretch);
      !(await condition());
      await sleep(15)
    ) {
      if (performance.now() < deadline) continue;
      this.violation(`waited in vain for ${what}`);
      return false;
    }
    return true;
  }

  expect(holds: boolean, otherwise: string): void {
    if (!holds) this.violation(otherwise);
  }

  violation(what: string): void {
    this.violations.push(what);
  }

  /** More than one model call is right for this message: it is written again. */
  writtenAgain(send: Send): void {
    this.again.add(send);
  }

  /** Its rows are gone, as they should be. */
  forget(send: Send): void {
    this.gone.add(send);
  }

  isForgotten(send: Send): boolean {
    return this.gone.has(send);
  }

  isWrittenAgain(send: Send): boolean {
    return this.again.has(send);
  }

  /** A line that only this injection's client uses, and that ends with it. */
  own(line: TcpProxy): TcpProxy {
    this.lines.push(line);
    return line;
  }

  /** A call over HTTP whose refusal must have a shape. */
  async call(
    browser: HttpClient,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const answer = await browser.send(method, path, { body });
    const fault = answer.status >= 400 ? faultOfError(answer.body) : null;
    if (fault !== null) this.violation(fault);
    return answer;
  }

  async close(): Promise<void> {
    for (const page of this.pages) page.close();
    for (const line of this.lines) await line.close();
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
