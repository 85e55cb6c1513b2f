import { connect, type Socket } from 'node:net';
import { startTestApp, type TestApp } from '../harness/test-app.js';

const MB = 1024 * 1024;

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(async () => {
  await server.close();
});

/** A connection, and the text that the server has sent on it. */
function open(): { socket: Socket; closed: Promise<unknown>; received: () => string } {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  // Not events.once: a reset after the answer is expected here.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { socket, closed, received: () => text };
}

/** Head of a request whose content type every route refuses. */
const head = (length: number) =>
  `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`;

const until = async (isTrue: () => boolean, socket: Socket) => {
  while (!isTrue() && !socket.closed) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a refused body', () => {
  it('of less than 1 MB leaves the connection open', async () => {
    const { socket, received } = open();
    socket.write(head(MB / 2));
    socket.write('x'.repeat(MB / 2));
    await until(() => received().includes('unsupported_type'), socket);
    expect(received()).toMatch(/^HTTP\/1\.1 415 /);
    socket.write('GET /api/health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await until(() => received().includes('"live"'), socket);
    expect(received()).toContain('HTTP/1.1 200 ');
    socket.destroy();
  });

  it('of more than 1 MB is answered when the client reads only after sending', async () => {
    const { socket, closed, received } = open();
    socket.pause().write(head(4 * MB));
    await new Promise((resolve) => socket.write('x'.repeat(4 * MB), resolve));
    socket.resume();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 415 /);
    expect(received()).toContain('unsupported_type');
  });

  it('without end is answered, and the connection is closed', async () => {
    const { socket, closed, received } = open();
    socket.write(head(1024 * MB));
    const chunk = 'x'.repeat(64 * 1024);
    const sending = setInterval(() => socket.writable && socket.write(chunk), 10);
    await closed;
    clearInterval(sending);
    expect(received()).toMatch(/^HTTP\/1\.1 415 [^]*\r\nConnection: close\r\n[^]*unsupported_type/);
  });
});
