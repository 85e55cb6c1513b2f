import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { SOCKETS_PER_ADDRESS, SocketsByAddress } from './sockets-by-address.js';

/** Four addresses of one IPv6 site can be full. */
const SOCKETS_PER_SITE = 4 * SOCKETS_PER_ADDRESS;

const from = (address: string) => ({ headers: { from: address } }) as IncomingMessage;

function openSockets(address: string | ((at: number) => string), count: number) {
  const engine = new EventEmitter();
  const byAddress = new SocketsByAddress((request) => request.headers.from!);
  byAddress.watch(engine);
  const addressOf = typeof address === 'string' ? () => address : address;
  const sockets = Array.from({ length: count }, (_, at) =>
    Object.assign(new EventEmitter(), { request: from(addressOf(at)) }),
  );
  for (const socket of sockets) engine.emit('connection', socket);
  return { byAddress, sockets };
}

describe('SocketsByAddress', () => {
  it('refuses further sockets of a full address until one closes', () => {
    const { byAddress, sockets } = openSockets('203.0.113.7', SOCKETS_PER_ADDRESS);
    expect(byAddress.isFull(from('203.0.113.7'))).toBe(true);
    expect(byAddress.isFull(from('203.0.113.8'))).toBe(false);
    sockets[0]!.emit('close');
    expect(byAddress.isFull(from('203.0.113.7'))).toBe(false);
  });

  it('refuses further sockets of a full IPv6 site, whatever their networks', () => {
    const networkOf = (at: number) => `2001:db8:1:${at.toString(16)}::/64`;
    const { byAddress, sockets } = openSockets(networkOf, SOCKETS_PER_SITE);
    expect(byAddress.isFull(from(networkOf(SOCKETS_PER_SITE)))).toBe(true);
    expect(byAddress.isFull(from('2001:db8:2:1::/64'))).toBe(false);
    sockets[7]!.emit('close');
    expect(byAddress.isFull(from(networkOf(7)))).toBe(false);
  });

  it.each(['127.0.0.1', '0:0:0:0::/64'])('does not count the loopback address %s', (address) => {
    expect(openSockets(address, SOCKETS_PER_ADDRESS).byAddress.isFull(from(address))).toBe(false);
  });
});
