import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { LIMITS, SOCKET_PATH } from '@tanya/contract';
import { MessageEvent, WebSocket } from 'undici';
import { SOCKETS_PER_ADDRESS } from '../../src/platform/sockets/sockets-by-address.js';
import { HttpClient } from '../harness/http-client.js';
import { harness } from './security-harness.js';
import { refusalOf, SocketClient } from '../harness/socket-client.js';

/** Opens a WebSocket whose frames the test writes itself. */
async function rawSocket(browser: HttpClient): Promise<WebSocket> {
  const url = `${browser.url.replace('http', 'ws')}${SOCKET_PATH}/?EIO=4&transport=websocket`;
  const socket = new WebSocket(url, {
    headers: { Cookie: browser.cookieHeader, 'X-Forwarded-For': browser.address },
  });
  await once(socket, 'open');
  socket.send('40');
  await frameOf(socket, '40');
  return socket;
}

/** Waits for the next frame with this prefix. */
function frameOf(socket: WebSocket, start: string): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('message', (event) => {
      const { data } = event as MessageEvent<unknown>;
      if (typeof data !== 'string') return;
      if (data.startsWith(start)) resolve(data);
      else if (data.startsWith('44')) reject(new Error(data));
    });
    socket.addEventListener('close', () => reject(new Error(`closed before ${start}`)));
  });
}

const isClosed = (socket: WebSocket): Promise<unknown> =>
  socket.readyState === WebSocket.CLOSED ? Promise.resolve() : once(socket, 'close');

/** Checks that a new guest gets an answer. */
async function expectServing(): Promise<void> {
  const page = await SocketClient.connect(await harness.guest());
  const { generationId } = await page.start('Hello');
  expect((await page.ended(generationId)).message.status).toBe('complete');
  await page.close();
}

describe('WS-2: the identity of a socket', () => {
  it('is a guest without a session cookie, whatever query and auth of the handshake claim', async () => {
    const { client, user } = await harness.member();
    const session = encodeURIComponent(client.cookies.get('tanya.sid') ?? '');
    const stranger = await harness.guest();
    const page = await SocketClient.connect(stranger, {
      query: { 'tanya.sid': session, userId: String(user.id), token: session, isAdmin: 'true' },
      auth: { user: user.id, owner: `user:${user.id}`, token: session, isAdmin: true },
    });
    const { threadId } = await page.start('Hello');
    expect((await client.get(`/api/chat/threads/${threadId}/messages`)).status).toBe(404);
    expect((await stranger.get(`/api/chat/threads/${threadId}/messages`)).status).toBe(200);
    await page.close();
  });
});

describe('WS-3: a malformed event', () => {
  const framesThatClose = [
    ['a name that is a list', '42[["generation:stop"],{}]'],
    ['a name that is an object', '42[{"a":1},{}]'],
    ['a reserved name', '42["disconnect",{}]'],
    ['invalid JSON', '42["generation:stop",'],
    ['a payload that is not a list', '42{"generation:stop":{}}'],
    ['an unknown packet type', '49["x"]'],
    ['a million attachments', '451000000-["generation:stop",{"_placeholder":true,"num":0}]'],
    ['a missing attachment', '450-["generation:stop",{"_placeholder":true,"num":5}]'],
  ];

  it.each(framesThatClose)('of %s closes its own socket alone', async (_, frame) => {
    const browser = await harness.guest();
    const [socket, bystander] = [await rawSocket(browser), await rawSocket(browser)];
    socket.send(frame);
    await isClosed(socket);
    bystander.send('423["generation:stop",{"generationId":"00000000-0000-4000-8000-000000000000"}]');
    expect(await frameOf(bystander, '433')).toContain('not_found');
    bystander.close();
  });

  it('of more than 1 MB closes its own socket alone', async () => {
    const socket = await rawSocket(await harness.guest());
    socket.send(`42["generation:start",{"text":"${'x'.repeat(LIMITS.socketFrameBytes)}"}]`);
    await isClosed(socket);
    await expectServing();
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 7, ''])('named %j is refused', async (name) => {
    const page = await SocketClient.connect(await harness.guest());
    expect(refusalOf(await page.ask(name, {})).code).toBe('invalid');
    await page.close();
  });

  it('of bytes in place of an object is refused', async () => {
    const page = await SocketClient.connect(await harness.guest());
    expect(refusalOf(await page.ask('generation:stop', Buffer.from('x'))).code).toBe('invalid');
    expect(refusalOf(await page.ask('generation:stop', { generationId: Buffer.from('x') })).code).toBe('invalid');
    await page.close();
  });

  it('in a burst of thousands is rate limited, and other users are served', async () => {
    const page = await SocketClient.connect(await harness.guest());
    const startedAt = performance.now();
    const asked = Array.from({ length: 3_000 }, () => page.ask('generation:stop', { generationId: randomUUID() }));
    const codes = (await Promise.all(asked)).map((ack) => refusalOf(ack).code);
    // 200 events in each period of 4 s.
    const periods = Math.floor((performance.now() - startedAt) / 4_000) + 2;
    const served = codes.filter((code) => code === 'not_found').length;
    expect(served).toBeLessThanOrEqual(200 * periods);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(3_000 - served);
    expect(served).toBeLessThan(3_000);
    await page.close();
    await expectServing();
  });

  it('of bytes over polling is answered', async () => {
    const browser = await harness.guest();
    const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
    const { text } = await browser.get(path);
    const { sid } = JSON.parse(text.slice(1)) as { sid: string };
    const answer = await browser.send('POST', `${path}&sid=${sid}`, {
      raw: new Uint8Array([1, 2, 3]),
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    expect(answer.status).toBeLessThan(500);
  });

  it('comes with headers that keep it from being a page', async () => {
    const { headers } = await harness.client().get(`${SOCKET_PATH}/?EIO=4&transport=polling`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('cannot come from more than 50 sockets of one guest', async () => {
    const browser = await harness.guest();
    const pages = await Promise.all(Array.from({ length: 50 }, () => SocketClient.connect(browser)));
    await expect(SocketClient.connect(browser)).rejects.toMatchObject({ data: { code: 'rate_limited' } });
    await Promise.all(pages.map((page) => page.close()));
  });
});

describe('WS-3: sockets of one address', () => {
  const handshake = (address: string) => harness.client(address).get(`${SOCKET_PATH}/?EIO=4&transport=polling`);

  it('are refused beyond a thousand, also with a session, while other addresses are served', async () => {
    const address = '203.0.113.7';
    for (let opened = 0; opened < SOCKETS_PER_ADDRESS; opened += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => handshake(address)));
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    }
    const refused = await handshake(address);
    expect([refused.status, refused.body]).toEqual([403, { code: 4, message: 'rate_limited' }]);
    const { client } = await harness.member();
    const here = new HttpClient(client.url, address, client.cookies);
    await expect(SocketClient.connect(here)).rejects.toThrow('websocket error');
    await (await SocketClient.connect(client)).close();
    expect((await handshake('203.0.113.8')).status).toBe(200);
  });
});

describe('WS-3: a handshake', () => {
  /** Sends a handshake that is reset between its arrival and its check, where the address of the socket is lost. */
  async function resetHandshake(transport: 'polling' | 'websocket'): Promise<void> {
    const server = harness.app.getHttpServer() as Server;
    const { hostname, port } = new URL(harness.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const isWebSocket = transport === 'websocket';
    const handled = new Promise<void>((resolve) => {
      server.prependOnceListener(isWebSocket ? 'upgrade' : 'request', () => {
        socket.resetAndDestroy();
        setImmediate(resolve);
      });
    });
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const head = [
      `GET ${SOCKET_PATH}/?EIO=4&transport=${transport} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      ...(isWebSocket ? upgrade : []),
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await handled;
  }

  it.each(['polling', 'websocket'] as const)('over %s that is reset ends no process', async (transport) => {
    await resetHandshake(transport);
    await expectServing();
  });

  it.each([
    ['on a path without sockets', '/', false],
    ['with a session', `${SOCKET_PATH}/?EIO=4&transport=websocket`, true],
  ])('%s that is reset while it waits ends no process', async (_, path, isMember) => {
    const browser = isMember ? (await harness.member()).client : harness.client();
    const { hostname, port } = new URL(harness.url);
    const socket = connect(Number(port), hostname);
    const closed = new Promise<void>((resolve) => {
      (harness.app.getHttpServer() as Server).prependOnceListener('upgrade', (request) => {
        // `once` of node:events would add a listener for errors.
        request.socket.on('close', () => resolve());
        socket.resetAndDestroy();
      });
    });
    const head = [
      `GET ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Cookie: ${browser.cookieHeader}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await closed;
    await expectServing();
  });

  it('with an empty sid has the identity of its guest', async () => {
    const browser = await harness.guest();
    const page = await SocketClient.connect(browser, { query: { sid: '' } });
    const { threadId } = await page.start('Hello');
    expect((await browser.get(`/api/chat/threads/${threadId}/messages`)).status).toBe(200);
    await page.close();
  });
});

describe('WS-5: an event of the server', () => {
  const ours = ['generation:event', 'thread:changed', 'thread:deleted', 'quota:changed', 'session:ended', 'join'];

  it.each(ours)('%s from a client is refused and not forwarded', async (name) => {
    const { client } = await harness.member();
    const [one, two] = [await SocketClient.connect(client), await SocketClient.connect(client)];
    expect(refusalOf(await one.ask(name, { room: 'owner:user:1', threadId: 1 })).code).toBe('invalid');
    expect(two.received).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  it('an event without an acknowledgement function does not break the socket', async () => {
    const socket = await rawSocket(await harness.guest());
    for (const frame of ['42["generation:stop"]', '42["generation:start",{}]', '42["generation:stop",{},"ack"]']) {
      socket.send(frame);
    }
    socket.send('429["generation:stop",{"generationId":"x"}]');
    expect(await frameOf(socket, '439')).toContain('"invalid"');
    socket.close();
  });
});

it('WS-3: a polling request of thousands of packets closes its own connection alone', async () => {
  const browser = await harness.guest();
  const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
  const { text } = await browser.get(path);
  const { sid } = JSON.parse(text.slice(1)) as { sid: string };
  const post = (raw: string) =>
    browser.send('POST', `${path}&sid=${sid}`, { raw, headers: { 'Content-Type': 'text/plain;charset=UTF-8' } });
  expect((await post('40')).status).toBe(200);
  expect((await post(Array.from({ length: 900 }, () => '3').join('\x1e'))).status).toBe(200);
  expect((await post('3')).status).toBe(200);
  await post(Array.from({ length: 1_100 }, () => '3').join('\x1e'));
  expect((await post('3')).status).toBe(400);
});
