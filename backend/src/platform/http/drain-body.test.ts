import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { drainBody, finishAndClose, MAX_DRAINED_BYTES } from './drain-body.js';

let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    void drainBody(request).then((isDrained) => {
      if (isDrained) response.end('{"drained":true}');
      else finishAndClose(request, response, { drained: false });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Opens a connection, sends a request's head and collects the answer. */
function post(length: number): { socket: Socket; closed: Promise<unknown>; received: () => string } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  // Not events.once: a reset after the answer is expected here.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, closed, received: () => text };
}

describe('drainBody', () => {
  it('reads a body of 1 MB and keeps the connection', async () => {
    const { socket, received } = post(MAX_DRAINED_BYTES);
    socket.write('x'.repeat(MAX_DRAINED_BYTES));
    await once(socket, 'data');
    expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: keep-alive\r\n/);
    socket.destroy();
  });

  it('answers a larger body to a client that reads only after sending', async () => {
    const { socket, closed, received } = post(4 * MAX_DRAINED_BYTES);
    socket.pause();
    await new Promise((resolve) => socket.write('x'.repeat(4 * MAX_DRAINED_BYTES), resolve));
    socket.resume();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*\{"drained":false\}$/);
  });

  it('answers a body without end and closes the connection', async () => {
    const { socket, closed, received } = post(1024 * MAX_DRAINED_BYTES);
    const chunk = 'x'.repeat(64 * 1024);
    const sending = setInterval(() => socket.writable && socket.write(chunk), 5);
    await closed;
    clearInterval(sending);
    expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*\{"drained":false\}$/);
  }, 60_000);
});
