import { EventEmitter } from 'node:events';
import { disconnectSlowConsumers, MAX_QUEUED_CHARS } from './slow-consumers.js';

function openSocket() {
  const engine = new EventEmitter();
  disconnectSlowConsumers(engine);
  const socket = Object.assign(new EventEmitter(), { isClosed: false, close: () => (socket.isClosed = true) });
  engine.emit('connection', socket);
  const send = (length: number) => socket.emit('packetCreate', { data: 'x'.repeat(length) });
  return { socket, send };
}

describe('disconnectSlowConsumers', () => {
  it('closes a socket whose queue is full', () => {
    const { socket, send } = openSocket();
    for (let sent = 0; sent <= MAX_QUEUED_CHARS; sent += 1024) send(1024);
    expect(socket.isClosed).toBe(false);
    send(1);
    expect(socket.isClosed).toBe(true);
  });

  it('keeps a socket open whose queue is flushed', () => {
    const { socket, send } = openSocket();
    for (let sent = 0; sent <= 10 * MAX_QUEUED_CHARS; sent += MAX_QUEUED_CHARS / 2) {
      send(MAX_QUEUED_CHARS / 2);
      socket.emit('flush');
    }
    expect(socket.isClosed).toBe(false);
  });

  it('allows a single packet larger than the queue', () => {
    const { socket, send } = openSocket();
    send(3 * MAX_QUEUED_CHARS);
    expect(socket.isClosed).toBe(false);
  });

  it('ignores packets without data', () => {
    const { socket } = openSocket();
    socket.emit('packetCreate', {});
    expect(socket.isClosed).toBe(false);
  });
});
