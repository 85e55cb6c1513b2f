import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode, GenerationStartPayload, Message, MessageStatus } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { echoText, type Script } from '../harness/scripted-answers.js';
import { violationOfError } from './audits/error-check.js';
import type { FaultHarness } from './fault-harness.js';
import { boundOf, type Pace } from './pace.js';
import { Page, type Send } from './page/page.js';
import { ShownAnswer } from './page/shown-answer.js';
import type { TestUser } from './page/test-user.js';
import type { Random } from './random.js';
import type { TcpProxy } from './tcp-proxy.js';

/** Bound of every wait at the shortest timings, ms; 45 s at production timings. */
const WAIT_TIMEOUT_MS = 12_000;

export interface SendOptions extends Partial<GenerationStartPayload> {
  words?: number;
  /** Pause between two words, ms. */
  pace?: number;
  /** Response of the provider in place of counted words; `expected` is then its text. */
  script?: Script | Script[];
  expected?: string | null;
  user?: TestUser;
  page?: Page;
  isSingle?: boolean;
}

/** One injection: its users, sends and pages, and the violations that it found. */
export class Scenario {
  readonly sends: Send[] = [];
  readonly pages: Page[] = [];
  readonly violations: string[] = [];
  readonly notes: string[] = [];
  private readonly proxies: TcpProxy[] = [];
  /** Marks of tools, each of which may run once. */
  readonly toolMarks: string[] = [];
  private readonly regenerated = new Set<Send>();
  private readonly inSteps = new Set<Send>();
  private readonly excluded = new Set<Send>();

  constructor(
    readonly harness: FaultHarness,
    readonly random: Random,
    /** Number of concurrent streams of a crowd, or of the load of a fleet. */
    readonly crowdSize: number,
    readonly pace: Pace,
  ) {}

  async page(user: TestUser = this.harness.member(), url = this.harness.url): Promise<Page> {
    const page = await Page.open(user, url);
    this.pages.push(page);
    return page;
  }

  /** Sends one message, from the next member by default. */
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

  /** Sends one message and waits until it is accepted. */
  async taken(options: SendOptions = {}): Promise<Send> {
    const send = await this.send(options);
    await send.answered;
    if (send.started === null) this.violation(`it was refused: ${send.refusal?.code ?? 'the page was closed'}`);
    return send;
  }

  /** Sends one message and waits for the first text of its answer. */
  async shown(options: SendOptions = {}): Promise<Send> {
    const send = await this.taken(options);
    if (send.started === null) return send;
    await this.until(() => this.answerOf(send).text !== '' || this.answerOf(send).isClosed, 'the first text');
    return send;
  }

  /** Starts `crowdSize` answers and waits for the first text of each. */
  async crowd(options: SendOptions = {}): Promise<Send[]> {
    const pace = Math.max(8, this.crowdSize / 2);
    return Promise.all(Array.from({ length: this.crowdSize }, () => this.shown({ words: 60, pace, ...options })));
  }

  /** The answer to a send; an open one without text if the send was refused. */
  answerOf(send: Send): ShownAnswer {
    return send.started === null ? new ShownAnswer() : send.page.answer(send.started.generationId);
  }

  /** Waits for the end of an answer. */
  async end(send: Send, ...allowed: (MessageStatus | 'deleted')[]): Promise<Message | null> {
    if (send.started === null) return null;
    const answer = this.answerOf(send);
    await this.until(() => answer.isClosed, `the end of ${send.started.generationId}`);
    if (!allowed.includes(answer.status)) {
      const why = answer.final?.error?.code ?? '';
      this.violation(`it ended ${answer.status} ${why} where ${allowed.join(' or ')} was due`);
    }
    return answer.final ?? null;
  }

  async endAll(sends: Send[], ...allowed: (MessageStatus | 'deleted')[]): Promise<void> {
    await Promise.all(sends.map((send) => this.end(send, ...allowed)));
  }

  /** Expects an unsuccessful end with one of the codes. */
  async failed(send: Send, status: 'error' | 'interrupted', ...codes: ErrorCode[]): Promise<Message | null> {
    const message = await this.end(send, status);
    const code = message?.error?.code;
    if (message !== null && (code === undefined || !codes.includes(code)))
      this.violation(`it failed with ${code} where ${codes.join(' or ')} was due`);
    return message;
  }

  /** Sleeps for a random time, which the seed determines. */
  async moment(low: number, high: number): Promise<number> {
    const ms = this.random.between(low, high);
    this.notes.push(`${ms} ms`);
    await sleep(ms);
    return ms;
  }

  async until(condition: () => boolean | Promise<boolean>, what: string, timeout = WAIT_TIMEOUT_MS): Promise<boolean> {
    for (
      const deadline = performance.now() + boundOf(timeout * this.pace.stretch);
      !(await condition());
      await sleep(15)
    ) {
      if (performance.now() < deadline) continue;
      this.violation(`timed out waiting for ${what}`);
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

  /** Allows several provider calls for this send, because its answer is regenerated. */
  allowRegeneration(send: Send): void {
    this.regenerated.add(send);
  }

  /** Allows one provider call after another for this send, because its answer has steps. */
  allowSteps(send: Send): void {
    this.inSteps.add(send);
  }

  hasSteps(send: Send): boolean {
    return this.inSteps.has(send);
  }

  /** Expects at most one run of the tool with this mark. */
  expectOneRun(mark: string): void {
    this.toolMarks.push(mark);
  }

  /** Excludes a send from the audit, because its rows were deleted. */
  exclude(send: Send): void {
    this.excluded.add(send);
  }

  isExcluded(send: Send): boolean {
    return this.excluded.has(send);
  }

  isRegenerated(send: Send): boolean {
    return this.regenerated.has(send);
  }

  /** Closes a proxy with this scenario. */
  own(proxy: TcpProxy): TcpProxy {
    this.proxies.push(proxy);
    return proxy;
  }

  /** An HTTP call whose error must have the expected shape. */
  async call(
    browser: HttpClient,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const answer = await browser.send(method, path, { body });
    const fault = answer.status >= 400 ? violationOfError(answer.body) : null;
    if (fault !== null) this.violation(fault);
    return answer;
  }

  async close(): Promise<void> {
    for (const page of this.pages) page.close();
    for (const proxy of this.proxies) await proxy.close();
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
