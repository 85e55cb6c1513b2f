import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { AppError } from '../errors/app-error.js';
import { RequestsByAddress } from './requests-by-address.js';

const ADDRESS = '203.0.113.7';

function requestsWith(bounds: { hasProxy: boolean; maxRequests?: number; maxConnections?: number }) {
  const byAddress = new RequestsByAddress(({ headers }) => headers.from!, bounds);
  const send = (from: string) => {
    const headers: Record<string, string> = {};
    const response = Object.assign(new EventEmitter(), {
      setHeader: (name: string, value: string) => (headers[name] = value),
    });
    let error: unknown = null;
    byAddress.middleware({ headers: { from } } as never, response as never, (reason?: unknown) => {
      error = reason ?? null;
    });
    return { error, headers, end: () => response.emit('close') };
  };
  return { byAddress, send };
}

it('refuses further requests of a full address until one has ended (LIM-16)', () => {
  const { send } = requestsWith({ hasProxy: true, maxRequests: 2 });
  const first = send(ADDRESS);
  send(ADDRESS);
  const refused = send(ADDRESS);
  expect(refused.error).toEqual(expect.any(AppError));
  expect(refused.error).toMatchObject({ code: 'rate_limited', retryAfter: 5 });
  expect(refused.headers).toEqual({ Connection: 'close' });
  expect(send('203.0.113.8').error).toBeNull();
  // The end of a refused request frees nothing.
  refused.end();
  expect(send(ADDRESS).error).not.toBeNull();
  first.end();
  expect(send(ADDRESS).error).toBeNull();
});

it.each(['127.0.0.1', '0:0:0:0::/64'])('counts requests of the loopback address %s behind a proxy alone', (address) => {
  const errors = [true, false].map((hasProxy) => {
    const { send } = requestsWith({ hasProxy, maxRequests: 1 });
    send(address);
    return send(address).error !== null;
  });
  expect(errors).toEqual([true, false]);
});

/** Opens connections from an address. @returns whether each was closed */
function connect(bounds: { hasProxy: boolean }, remoteAddress: string, count: number) {
  const { byAddress } = requestsWith({ maxConnections: 2, ...bounds });
  const server = new EventEmitter();
  byAddress.watch(server as Server);
  const open = () => {
    let isClosed = false;
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: () => (isClosed = true) });
    server.emit('connection', socket);
    return { socket, isClosed };
  };
  return { opened: Array.from({ length: count }, open), open };
}

it('closes further connections of a full address until one is closed (LIM-16)', () => {
  const { opened, open } = connect({ hasProxy: false }, ADDRESS, 3);
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, false, true]);
  opened[0]!.socket.emit('close');
  expect([open().isClosed, open().isClosed]).toEqual([false, true]);
});

it.each([
  ['of a proxy', { hasProxy: true }, ADDRESS],
  ['of this machine', { hasProxy: false }, '::ffff:127.0.0.1'],
])('leaves the connections %s open', (_, bounds, address) => {
  expect(connect(bounds, address, 5).opened.some(({ isClosed }) => isClosed)).toBe(false);
});
