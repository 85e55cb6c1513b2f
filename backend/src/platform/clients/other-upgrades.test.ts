import { jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { serveOtherUpgrades } from './other-upgrades.js';

let server: Server;

beforeEach(async () => {
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
  });
  serveOtherUpgrades(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function open(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  return client;
}

const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n';

/** As Java's client sends it. */
const call = (more = '') =>
  `POST /api/v1/chat/completions HTTP/1.1\r\n${OFFER}Host: localhost\r\nX-Mark: é\r\nContent-Length: 11\r\n${more}\r\n`;

it('serves a request that offers HTTP/2, with its body, and the next ones of its connection', async () => {
  const client = await open();
  client.write(Buffer.from(`${call()}{"a":`, 'latin1'));
  client.write('"rest"');
  const [first] = (await once(client, 'data')) as [Buffer];
  const [, body] = first.toString().split('\r\n\r\n');
  expect(JSON.parse(body!)).toEqual({
    method: 'POST',
    url: '/api/v1/chat/completions',
    headers: { host: 'localhost', 'x-mark': 'é', 'content-length': '11' },
    body: '{"a":"rest"',
  });
  client.end('GET /second HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(await text(client)).toContain('/second');
});

it('keeps what the client asks beside the offer of its connection', async () => {
  const client = await open();
  client.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n');
  expect(await text(client)).toContain('"connection":"close"');
});

it('closes a connection that offers again', async () => {
  const client = await open();
  client.write(`${call()}hello world`);
  await once(client, 'data');
  client.write(`${call()}hello world`);
  await once(client, 'close');
});

it('closes a connection whose offer has more headers than are read, of which the length may be one', async () => {
  server.maxHeadersCount = 100;
  const client = await open();
  const [more, body] = ['X-More: 1\r\n'.repeat(150), 'GET /body HTTP/1.1\r\nHost: localhost\r\n\r\n'];
  client.write(`POST / HTTP/1.1\r\n${OFFER}Host: localhost\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`);
  // From Node 24 on the server refuses so many headers with words.
  expect(await text(client)).toMatch(/^(HTTP\/1.1 431 [^\r]+\r\nConnection: close\r\n\r\n)?$/);
});

it('leaves the calls of sockets to their server', async () => {
  const upgraded = once(server, 'upgrade');
  const requests = jest.fn();
  server.on('request', requests);
  const client = await open();
  client.write(
    'GET /socket.io/?EIO=4 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  await upgraded;
  await new Promise((resolve) => setImmediate(resolve));
  expect(requests).not.toHaveBeenCalled();
  client.destroy();
});
