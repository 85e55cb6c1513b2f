import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ArrivingBody } from './arriving-body.js';

it('lets the rest of a body flow after the reader has stopped, so that a refusal is answered at once', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} });
  request.write('first');
  for await (const piece of new ArrivingBody(request as unknown as IncomingMessage).pieces()) {
    expect(String(piece)).toBe('first');
    break;
  }
  request.resume();
  request.end('rest');
  await once(request, 'end');
});

it('lets others run between the pieces of a body that has arrived', async () => {
  const request = Object.assign(new PassThrough({ objectMode: true }), { headers: {} });
  for (let piece = 0; piece < 4; piece += 1) request.write(Buffer.from('a'));
  request.end();
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const turnsAt: number[] = [];
  for await (const piece of new ArrivingBody(request as unknown as IncomingMessage).pieces()) {
    turnsAt.push(turns);
    // Longer than a slice of work.
    for (const end = performance.now() + 10; performance.now() < end; piece.toString());
  }
  clearImmediate(next);
  expect(new Set(turnsAt).size).toBe(turnsAt.length);
});
