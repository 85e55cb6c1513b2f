import { setImmediate } from 'node:timers/promises';
import { BoundedDecoder } from './bounded-decoder.js';

const PACKETS_IN_TURN = 200;

/** A socket whose decoded events are collected by their number. */
function socket() {
  const decoder = new BoundedDecoder();
  const events: number[] = [];
  decoder.on('decoded', ({ data }) => void events.push((data as [string, number])[1]));
  const send = (count: number) => {
    for (let number = 0; number < count; number += 1) decoder.add(`2["event",${number}]`);
  };
  return { decoder, events, send };
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

beforeEach(() => setImmediate());

it('shares a turn of the event loop among all sockets', async () => {
  const sockets = Array.from({ length: 10 }, socket);
  const decoded = () => sockets.reduce((sum, { events }) => sum + events.length, 0);
  for (const { send } of sockets) send(100);
  for (let turns = 1; turns <= 5; turns += 1) {
    expect(decoded()).toBe(turns * PACKETS_IN_TURN);
    await setImmediate();
  }
  for (const { events } of sockets) expect(events).toEqual(numbers(100));
});

it('lets a socket with one event wait for no flood of another', async () => {
  const [flood, quiet] = [socket(), socket()];
  flood.send(5_000);
  quiet.send(1);
  expect(quiet.events).toEqual([]);
  await setImmediate();
  expect(quiet.events).toEqual([0]);
  expect(flood.events.length).toBeLessThan(1_000);
  flood.decoder.destroy();
  await setImmediate();
  quiet.send(3);
  expect(quiet.events).toEqual([0, 0, 1, 2]);
});

it('decodes an event larger than the rest of a turn in the next one', async () => {
  const [many, large] = [socket(), socket()];
  many.send(300);
  large.decoder.add(`2["event",7,"${'x'.repeat(200_000)}"]`);
  large.decoder.add(`2["event",8,"${'x'.repeat(200_000)}"]`);
  await setImmediate();
  expect(large.events).toEqual([7]);
  await setImmediate();
  expect([many.events, large.events]).toEqual([numbers(300), [7, 8]]);
});
