import { randomUUID } from 'node:crypto';
import type { Ack } from '@tanya/contract';
import type { Identity } from '../../identity/identity.js';
import type { ChatSocket } from '../sockets/owner-sockets.js';
import { SocketScreen } from './socket-screen.js';

type Listener = (packet: unknown[], next: () => void) => void;

/** @returns sends an event and resolves with whether it was passed on */
function open(screen: SocketScreen, address: string, userId: number | null) {
  const identity = { owner: `owner:${randomUUID()}`, userId, address } as unknown as Identity;
  const listeners: Listener[] = [];
  screen.attach({ data: { identity }, use: (one: Listener) => void listeners.push(one) } as unknown as ChatSocket);
  return () =>
    new Promise<boolean>((resolve) => {
      const ack = (answer: Ack<unknown>) => resolve(answer.ok);
      listeners[0]!(['generation:stop', {}, ack], () => resolve(true));
    });
}

/** How many of the events of as many clients are passed on. */
async function passedOf(clients: (() => Promise<boolean>)[], each: number): Promise<number> {
  const passed = await Promise.all(clients.flatMap((send) => Array.from({ length: each }, send)));
  return passed.filter(Boolean).length;
}

const clients = (count: number, addressOf: (index: number) => string, userId: number | null = null) => {
  const screen = new SocketScreen();
  return Array.from({ length: count }, (_, index) => open(screen, addressOf(index), userId));
};

it.each([
  ['an owner', clients(1, () => '192.0.2.1', 1), 300, 200],
  ['the guests of an address together', clients(10, () => '192.0.2.1'), 100, 800],
  ['the guests of an IPv6 site together', clients(50, (index) => `2001:db8:1:${index}::/64`), 100, 3_200],
  ['members behind one address each for themselves', clients(10, () => '192.0.2.1', 1), 100, 1_000],
  ['guests behind a local proxy each for themselves', clients(10, () => '127.0.0.1'), 100, 1_000],
])('passes on the events of %s up to a rate', async (_who, sockets, each, passed) => {
  expect(await passedOf(sockets, each)).toBe(passed);
});
