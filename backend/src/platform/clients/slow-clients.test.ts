import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeSlowClients } from './slow-clients.js';

const servers: Server[] = [];

/** A server with short bounds, and a client of it. */
async function open(listener: RequestListener, bounds: { stallMs?: number; bodyWindowMs?: number }): Promise<Socket> {
  const server = createServer(listener);
  servers.push(server);
  closeSlowClients(server, { bodyWindowMs: 60_000, stallMs: 60_000, minBytes: 1_000, ...bounds });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  return client;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

it('closes a connection whose body comes too slowly (LIM-17)', async () => {
  const ended = deferred();
  const client = await open(
    (request) =>
      request
        .on('close', ended.resolve)
        .on('error', () => undefined)
        .resume(),
    {
      bodyWindowMs: 100,
    },
  );
  client.write(POST);
  const drip = setInterval(() => client.write('x'), 20);
  await ended.promise;
  clearInterval(drip);
  client.destroy();
});

it('waits for a body that the server itself does not read', async () => {
  const windows = 4;
  const client = await open(
    (request, response) => {
      // The rest is read after several windows in which nothing arrived.
      setTimeout(() => request.resume(), windows * 500);
      request.on('end', () => response.end('read'));
    },
    { bodyWindowMs: 500 },
  );
  client.end(
    `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 500000\r\n\r\n${'x'.repeat(500_000)}`,
  );
  expect(await text(client)).toContain('read');
});

it('closes a connection whose client takes nothing of the answer (LIM-17)', async () => {
  const ended = deferred();
  const client = await open(
    (_request, response) => {
      response.on('close', ended.resolve);
      response.end(Buffer.alloc(64 * 1024 * 1024));
    },
    { stallMs: 200 },
  );
  client.pause();
  client.write(GET);
  await ended.promise;
  client.destroy();
});

it('keeps a stream that has nothing to send', async () => {
  const stallMs = 50;
  const client = await open(
    (_request, response) => {
      response.write('first ');
      setTimeout(() => response.end('last'), 5 * stallMs);
    },
    { stallMs },
  );
  client.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(await text(client)).toContain('last');
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

it('keeps nothing of the earlier requests of a connection', async () => {
  const listeners: number[] = [];
  const client = await open((request, response) => {
    listeners.push(request.socket.listenerCount('close'));
    request.resume().on('end', () => response.end('x'));
  }, {});
  for (let count = 0; count < 20; count += 1) {
    client.write(count % 2 === 0 ? GET : 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx');
    await once(client, 'data');
  }
  expect(new Set(listeners).size).toBe(1);
  client.destroy();
});
