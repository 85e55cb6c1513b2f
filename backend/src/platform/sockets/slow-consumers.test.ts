import { EventEmitter } from 'node:events';
import { dropSlowReaders, MOST_WAITING } from './slow-consumers.js';

function openSocket() {
  const engine = new EventEmitter();
  dropSlowReaders(engine);
  const socket = Object.assign(new EventEmitter(), { isClosed: false, close: () => (socket.isClosed = true) });
  engine.emit('connection', socket);
  const send = (length: number) => socket.emit('packetCreate', { data: 'x'.repeat(length) });
  return { socket, send };
}

describe('a socket', () => {
  it('is closed when too much waits for its reader', () => {
    const { socket, send } = openSocket();
    for (let sent = 0; sent <= MOST_WAITING; sent += 1024) send(1024);
    expect(socket.isClosed).toBe(false);
    send(1);
    expect(socket.isClosed).toBe(true);
  });

  it('stays open for as long as its reader keeps up', () => {
    const { socket, send } = openSocket();
    for (let sent = 0; sent <= 10 * MOST_WAITING; sent += MOST_WAITING / 2) {
      send(MOST_WAITING / 2);
      socket.emit('flush');
    }
    expect(socket.isClosed).toBe(false);
  });

  it('may get one packet that is larger than all that may wait', () => {
    const { socket, send } = openSocket();
    send(3 * MOST_WAITING);
    expect(socket.isClosed).toBe(false);
  });

  it('that is written a packet without a text is none the worse', () => {
    const { socket } = openSocket();
    socket.emit('packetCreate', {});
    expect(socket.isClosed).toBe(false);
  });
});
