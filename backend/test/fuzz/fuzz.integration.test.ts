import fc from 'fast-check';
import { type ErrorBody, LIMITS } from '@tanya/contract';
import { type Harness, startFuzzHarness } from './fuzz-harness.js';
import { type RestInput, restInputs, type SocketInput, socketInputs } from './hostile-inputs.js';
import { Clock } from '../one-request/clock.js';
import { closeRaw, type RawAnswer, sendRaw } from './raw-client.js';
import { SocketClient } from '../harness/socket-client.js';

/** Set by `npm run fuzz -- --inputs 100000 --seed 7`. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** Inputs after which the attackers are replaced, because rate limits block the old ones. */
const BATCH = 400;
const CONCURRENCY = 16;

/** One of this many inputs goes over a socket. */
const SOCKET_SHARE = 5;

/** A hang fails the test; an input takes 3 ms on an idle machine. */
const TIMEOUT_MS = 120_000 + INPUTS * 30;

/** Internals that no response may contain. */
const LEAKS = /QueryFailedError|node_modules|\bat \w+ \(|select .+ from|sk-never-to-be-seen|postgres:\/\//i;

let harness: Harness;
let clock: Clock;

beforeAll(async () => {
  harness = await startFuzzHarness();
  clock = new Clock(harness.server);
});

afterAll(async () => {
  closeRaw();
  await harness.close();
});

/** Describes what is wrong with a response; null when it is right. */
function violationOf({ status, type, text }: RawAnswer, path: string): string | null {
  // Another input replaced the API key of this one, which ends its answers.
  if (status === 503 && text.includes('"code":"interrupted"')) return null;
  if (status < 200 || status >= 500) return `status ${status}`;
  if (LEAKS.test(text)) return 'it leaks internals';
  if (status < 400) return null;
  if (!type.startsWith('application/json')) return `an error of type ${type}`;
  const body = JSON.parse(text) as Partial<ErrorBody> & { error?: { message?: unknown; type?: unknown } };
  // With a key, `/api/models` is a call of a program that has a wrong base URL.
  if (/^\/api\/v1(\/|\?|$)/i.test(path) || (status === 404 && /^\/api\/models(\?|$)/i.test(path)))
    return typeof body.error?.message === 'string' ? null : 'an error without the expected shape';
  return body.statusCode === status && typeof body.code === 'string' && body.requestId
    ? null
    : 'an error without the expected shape';
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/**
 * Most that an answer may have cost. An interrupted one may have begun, and an image is gone when another input deletes its
 * account after the charge; every other refusal is free.
 */
function mostCharged({ method, path }: RestInput, { status, text }: RawAnswer): number {
  const isDeleted = status === 404 && path.includes('/images/') && text.includes('"code":"not_found"');
  if (method !== 'POST' || !/^\/api\/v1\//i.test(path) || !([200, 503].includes(status) || isDeleted)) return 0;
  return path.includes('/images/') ? LIMITS.imageCost : 1;
}

/** Whether a server that is busy refused an input; it does so with few. */
const isBusy = (text: string): boolean => /"code":"(busy|storage_unavailable)"/.test(text);

interface Seen {
  violations: string[];
  /** Number of refusals by a busy server. */
  busy: number;
  statuses: Map<number, number>;
  /** Upper bound of what the calls of programs cost, in messages. */
  charges: number;
}

/** An input of either transport. */
type Input = { rest: RestInput } | { event: SocketInput };

const named = (input: Input): string =>
  'rest' in input
    ? `${input.rest.attacker} ${input.rest.method} ${input.rest.path.slice(0, 200)} ${String(input.rest.body).slice(0, 300)}`
    : JSON.stringify(input.event).slice(0, 400);

/** Sends inputs, those of sockets beside the others. */
async function send(inputs: Input[], seen: Seen): Promise<void> {
  await Promise.all([
    sendAll(
      inputs.flatMap((input) => ('rest' in input ? [input.rest] : [])),
      seen,
    ),
    emitAll(
      inputs.flatMap((input) => ('event' in input ? [input.event] : [])),
      seen,
    ),
  ]);
}

/**
 * Sends inputs and names those above the bound. The longest turn of many is at least that of each, so only a half that is
 * above is sent again, and an input alone only when its half was.
 */
async function sendMeasured(inputs: Input[], seen: Seen): Promise<void> {
  if (inputs.length === 0) return;
  const [only] = inputs;
  const name = inputs.length === 1 ? named(only!) : `${inputs.length} inputs`;
  const request = { route: 'fuzz', input: name, send: () => send(inputs, seen).then(() => 0) };
  const { excess } = inputs.length === 1 ? await clock.measure(request) : await clock.once(request);
  if (excess.length === 0) return;
  if (inputs.length === 1) seen.violations.push(`${excess.join(', ')}: ${name}`);
  const half = Math.ceil(inputs.length / 2);
  if (inputs.length > 1) {
    await sendMeasured(inputs.slice(0, half), seen);
    await sendMeasured(inputs.slice(half), seen);
  }
}

async function sendAll(inputs: RestInput[], seen: Seen): Promise<void> {
  if (inputs.length === 0) return;
  const { violations, statuses } = seen;
  const attackers = await harness.attackers();
  await inParallel(inputs, async (input) => {
    const { attacker, method, path, headers, body } = input;
    const sent = { method, path, headers: { ...attackers[attacker], ...headers }, body };
    const answer = await sendRaw(harness.server.url, sent).catch((error: unknown) => String(error));
    const refusedBusy = typeof answer !== 'string' && answer.status === 503 && isBusy(answer.text);
    if (refusedBusy) seen.busy += 1;
    const wrong = typeof answer === 'string' ? answer : refusedBusy ? null : violationOf(answer, path);
    if (typeof answer !== 'string') {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      seen.charges += mostCharged(input, answer);
    }
    if (wrong !== null) {
      const got = typeof answer === 'string' ? '' : answer.text.slice(0, 200);
      violations.push(`${wrong}: ${attacker} ${method} ${path.slice(0, 200)} ${String(body).slice(0, 300)} → ${got}`);
    }
  });
}

/** JSON turns NaN and Infinity into null. */
const isName = ({ name }: SocketInput) => typeof name === 'string' || Number.isFinite(name);

/** Every event is acknowledged; one whose name is not a string may close its socket instead. */
async function emitAll(inputs: SocketInput[], seen: Seen): Promise<void> {
  if (inputs.length === 0) return;
  const { violations } = seen;
  const browser = await harness.guest();
  let page = await SocketClient.connect(browser);
  for (const input of inputs) {
    if (!page.socket.connected) page = await SocketClient.connect(browser);
    const ack = await page.ask(input.name, ...input.args).catch((error: unknown) => String(error));
    if (typeof ack === 'string' && isName(input)) violations.push(`${ack}: ${JSON.stringify(input).slice(0, 400)}`);
    const error = typeof ack === 'string' ? null : ack.ok ? undefined : ack.error;
    if (error?.code === 'storage_unavailable') seen.busy += 1;
    else if (error && (error.statusCode >= 500 || LEAKS.test(JSON.stringify(error)))) {
      violations.push(`${error.code}: ${JSON.stringify(input).slice(0, 400)}`);
    }
  }
  await page.close();
}

it(
  `LIM-1, LIM-18, AZ-7, MA-1, PP-1, PP-2, TX-1, KEY-2: ${INPUTS} hostile inputs break nothing (seed ${SEED})`,
  async () => {
    const { victim, routes, server } = harness;
    const own = [victim.threadId, victim.userId, victim.messageId, victim.generationId, victim.fileId].map(String);
    // An admin may change accounts, so only the other attackers get the victim's ids.
    const rest = restInputs(routes, (attacker) => (attacker === 'admin' ? ['2147483646'] : own));
    const events = socketInputs(victim);
    const before = await harness.damage();
    const seen: Seen = { violations: [], busy: 0, statuses: new Map(), charges: 0 };
    const { violations, statuses } = seen;
    for (let done = 0; done < INPUTS && violations.length < 20 && server.isAlive(); done += BATCH) {
      const size = Math.min(BATCH, INPUTS - done);
      const onSocket = Math.floor(size / SOCKET_SHARE);
      const seed = SEED + done;
      const inputs: Input[] = fc.sample(rest, { seed, numRuns: size - onSocket }).map((input) => ({ rest: input }));
      if (onSocket > 0) inputs.push(...fc.sample(events, { seed, numRuns: onSocket }).map((event) => ({ event })));
      await sendMeasured(inputs, seen);
    }
    expect(server.isAlive() ? violations : [...violations, server.output()]).toEqual([]);
    expect(seen.busy).toBeLessThan(INPUTS / 500);
    expect(await harness.damage()).toEqual({ ...before, admins: [] });
    expect(await harness.charged()).toBeLessThanOrEqual(seen.charges);
    // The inputs got past authentication and rate limits.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(INPUTS / 50);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(INPUTS / 20);
    const { status } = await sendRaw(server.url, { method: 'GET', path: '/api/health/ready', headers: {}, body: null });
    expect(status).toBe(200);
  },
  TIMEOUT_MS,
);
