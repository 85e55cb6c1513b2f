import { pino } from 'pino';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import type { McpSession, ServerAccess } from './mcp-session.js';
import { McpSessions } from './mcp-sessions.js';

/** Sessions that one node keeps. */
const MAX_SESSIONS = 500;

const ACCESS: ServerAccess = { url: 'https://tools.example/mcp', headers: {} };

let sessions: McpSessions;
let closed: string[];

beforeEach(() => {
  closed = [];
  sessions = new McpSessions(new BackgroundWork(pino({ level: 'silent' })));
});

afterEach(() => sessions.onApplicationShutdown());

/** Runs a call in the session of a key. */
const use = (key: string, call: () => Promise<void> = async () => undefined, access = ACCESS, signal?: AbortSignal) => {
  const session = { close: async () => void closed.push(key) } as unknown as McpSession;
  return sessions.use(key, access, async () => session, signal ?? new AbortController().signal, call);
};

/** Starts a call that runs until `end` is called. */
function startCall(key: string) {
  let end = (): void => undefined;
  const ended = use(key, () => new Promise((resolve) => (end = resolve)));
  return { ended, end: () => end() };
}

it('closes the longest unused sessions beyond the limit, except those with calls', async () => {
  const running = startCall('1:running');
  await use('1:idle');
  for (let n = 2; n <= MAX_SESSIONS; n++) await use(`1:${n}`);
  expect(closed).toEqual(['1:idle']);
  running.end();
  await running.ended;
  expect(closed).toEqual(['1:idle']);
});

it('closes a surplus session when its last call has ended', async () => {
  const running = Array.from({ length: MAX_SESSIONS + 1 }, (_, n) => startCall(`1:${n}`));
  await use('2:other');
  expect(closed).toEqual(['2:other']);
  running[7]!.end();
  await running[7]!.ended;
  expect(closed).toEqual(['2:other', '1:7']);
  for (const { end } of running) end();
});

it('closes a replaced session when its last call has ended', async () => {
  const running = startCall('1:user');
  await use('1:user', undefined, { ...ACCESS, headers: { authorization: 'other' } });
  expect(closed).toEqual([]);
  running.end();
  await running.ended;
  expect(closed).toEqual(['1:user']);
});

it('counts no call for a caller that stopped waiting for the session', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(use('1:user', undefined, ACCESS, stop.signal)).rejects.toThrow('stopped');
  sessions.keep([]);
  await Promise.resolve();
  expect(closed).toEqual(['1:user']);
});
