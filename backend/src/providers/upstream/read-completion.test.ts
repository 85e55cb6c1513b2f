import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { PROVIDER_TIMINGS } from '../provider.js';
import { CallClock } from './call-clock.js';
import { CompletionDecoder } from './completion/completion-decoder.js';
import { readCompletion } from './read-completion.js';
import type { SocketPacing } from '../../platform/fast-paths/paced-sockets.js';
import { ReadClock } from './read-clock.js';
import { UpstreamBody } from './upstream-body.js';
import { UpstreamAnswer } from './upstream-fetch.js';

/** Reads a stream of deltas, each in a read of its own. @returns how the pacing of its socket was switched */
async function pacingOf(deltas: readonly object[]): Promise<string[]> {
  const switched: string[] = [];
  const pacing = {
    start: () => void switched.push('start'),
    stop: () => void switched.push('stop'),
  } as unknown as SocketPacing;
  const body = new UpstreamBody({ abort: () => undefined } as unknown as Dispatcher.DispatchController, pacing);
  const headers = { 'content-type': 'text/event-stream' };
  const readClock = new ReadClock();
  const ended = readCompletion({
    answer: new UpstreamAnswer(body, 200, headers),
    decoder: new CompletionDecoder(),
    clock: new CallClock(new AbortController().signal),
    readClock,
    timings: PROVIDER_TIMINGS,
    onEvents: () => undefined,
  });
  const send = async (data: string): Promise<void> => {
    body.push(Buffer.from(`data: ${data}\n\n`));
    await nextTurn();
  };
  for (const delta of deltas) await send(JSON.stringify({ choices: [{ index: 0, delta }] }));
  const read = [...switched];
  await send(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  await send('[DONE]');
  body.end(null);
  await ended;
  return read;
}

const piece = (text: string) => ({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: text } }] });

describe('the socket of an answer', () => {
  it('is read on the beat after its first text', async () => {
    expect(await pacingOf([{ content: 'One' }])).toEqual(['start']);
  });

  it('is read at once while the model writes a call, for which the next step waits', async () => {
    expect(await pacingOf([{ content: 'One' }, piece('{'), piece('}')])).toEqual(['start', 'stop', 'stop']);
  });

  it('is read on the beat again during very long arguments', async () => {
    const switched = await pacingOf(Array.from({ length: 120 }, () => piece('x')));
    expect([switched[99], switched[100]]).toEqual(['stop', 'start']);
  });
});

describe('reads that take long to decode', () => {
  const LONG = Buffer.alloc(64 * 1024);

  /** Reads a body of several long reads, all in one turn of the event loop, with a decoder that takes 5 ms for each. */
  async function slowly(reads: number) {
    const log: string[] = [];
    const controller = {
      abort: () => undefined,
      pause: () => void log.push('pause'),
      resume: () => void log.push('resume'),
    };
    const body = new UpstreamBody(controller as unknown as Dispatcher.DispatchController, null);
    const decoder = new CompletionDecoder();
    const push = decoder.push.bind(decoder);
    decoder.push = (bytes) => {
      const until = performance.now() + 5;
      while (performance.now() < until);
      log.push(`decoded ${bytes.length / LONG.length}`);
      return push(bytes.subarray(0, 0));
    };
    const ended = readCompletion({
      answer: new UpstreamAnswer(body, 200, { 'content-type': 'text/event-stream' }),
      decoder,
      clock: new CallClock(new AbortController().signal),
      readClock: new ReadClock(),
      timings: PROVIDER_TIMINGS,
      onEvents: () => undefined,
    }).catch((error: unknown) => error);
    body.push(Buffer.from(': begins\n\n'));
    await nextTurn();
    log.length = 0;
    for (let read = 0; read < reads; read += 1) {
      body.push(LONG);
      // As Node does between two reads.
      await Promise.resolve();
    }
    log.push('turn');
    body.end(null);
    await ended;
    return log;
  }

  it('are one for each turn of the event loop, and what arrives meanwhile waits', async () => {
    expect(await slowly(3)).toEqual(['decoded 1', 'pause', 'turn', 'decoded 1', 'pause', 'decoded 1', 'pause']);
  });

  it('are followed by the end of the body', async () => {
    expect(await slowly(1)).toEqual(['decoded 1', 'pause', 'turn', 'resume']);
  });
});
