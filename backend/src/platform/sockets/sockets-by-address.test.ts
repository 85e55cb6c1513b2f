import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { SOCKETS_PER_ADDRESS, SocketsByAddress } from './sockets-by-address.js';

const from = (address: string) => ({ headers: { from: address } }) as IncomingMessage;

function openSockets(address: string, count: number) {
  const engine = new EventEmitter();
  const byAddress = new SocketsByAddress((request) => request.headers.from!);
  byAddress.watch(engine);
  const sockets = Array.from({ length: count }, () => Object.assign(new EventEmitter(), { request: from(address) }));
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

  it.each(['127.0.0.1', '0:0:0:0::/64'])('does not count the loopback address %s', (address) => {
    expect(openSockets(address, SOCKETS_PER_ADDRESS).byAddress.isFull(from(address))).toBe(false);
  });
});
