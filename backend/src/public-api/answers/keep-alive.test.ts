import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { DEFAULT_TIMINGS } from '../../config/timings.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { KeepAlive } from './answer-sender.js';

const SECOND = 1000;

let background: BackgroundWork;

beforeEach(() => {
  jest.useFakeTimers();
  background = new BackgroundWork(pino({ level: 'silent' }));
});

afterEach(() => {
  background.onModuleDestroy();
  jest.useRealTimers();
});

it.each([0, 300, 600, 900])(
  'ends a silence late, but within 15 s, of a stream that begins %s ms after a look',
  async (ms) => {
    const keepAlive = new KeepAlive(DEFAULT_TIMINGS, background);
    background.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(ms);
    const stream = keepAlive.open(new ServerResponse(new IncomingMessage(new Socket())));
    const begun = Date.now();
    const silences: number[] = [];
    stream.onSilence = () => {
      silences.push(Date.now() - begun);
      stream.write('data: silence\n\n');
    };
    await jest.advanceTimersByTimeAsync(45 * SECOND);
    const gaps = silences.map((at, index) => at - (silences[index - 1] ?? 0));
    expect(gaps.length).toBeGreaterThan(2);
    for (const gap of gaps) expect([gap > 12 * SECOND, gap < 15 * SECOND]).toEqual([true, true]);
  },
);

it('breaks a stream off that cannot be written, and goes on with the others', async () => {
  const keepAlive = new KeepAlive(DEFAULT_TIMINGS, background);
  background.onApplicationBootstrap();
  const [broken, other] = [0, 1].map(() => new ServerResponse(new IncomingMessage(new Socket())));
  keepAlive.open(broken!).onSilence = () => {
    throw new Error('no header');
  };
  const onSilence = jest.fn();
  keepAlive.open(other!).onSilence = onSilence;
  await jest.advanceTimersByTimeAsync(15 * SECOND);
  expect([broken!.destroyed, onSilence.mock.calls.length > 0]).toEqual([true, true]);
});
