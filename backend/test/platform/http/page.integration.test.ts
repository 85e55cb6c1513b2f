import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { serveWebClient } from '../../../src/platform/http/web-client.js';
import { waitUntil } from '../../harness/wait-until.js';

const LARGE = 8 * 1024 * 1024;

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tanya-page-'));
  mkdirSync(join(folder, 'assets'));
  const files = {
    'index.html': '<p>the page</p>',
    'icon.svg': '<svg></svg>',
    'assets/app.js': 'the script',
    'assets/app.js.br': 'by brotli',
    'assets/app.js.gz': 'by gzip',
    'assets/gone.js': 'the script',
    'assets/gone.js.br': 'by brotli',
    'assets/large.js': 'x'.repeat(LARGE),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const app = express();
  app.use(serveWebClient((_request, _response, next) => next(), folder));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage & { text: string }> {
  const { port } = server.address() as AddressInfo;
  const request = get({ port, path, headers, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const bytes of answer) text += String(bytes);
  return Object.assign(answer, { text });
}

it('is served on every path that is neither a file nor an API call, for its receiver alone and without caching', async () => {
  for (const path of ['/', '/chat/7', '/assets', '/index.html', '/%', '/chat/%E0%A4%A', '/a%00b']) {
    const { statusCode, text, headers } = await ask(path);
    expect([path, statusCode, text]).toEqual([path, 200, '<p>the page</p>']);
    expect(headers['cache-control']).toBe('private, no-cache');
  }
  expect((await ask('/api/none')).statusCode).toBe(404);
});

it('is not served to programs that look for what is well known, and password managers find where to change one', async () => {
  for (const name of ['oauth-authorization-server', 'openid-configuration', 'security.txt', 'change-password/more'])
    expect((await ask(`/.well-known/${name}`)).statusCode).toBe(404);
  const { statusCode, headers } = await ask('/.well-known/change-password');
  expect([statusCode, headers.location]).toEqual([302, '/account/security']);
});

it('serves its precompressed scripts as immutable', async () => {
  for (const [accepted, text] of [
    ['br, gzip', 'by brotli'],
    ['gzip', 'by gzip'],
    ['', 'the script'],
  ] as const) {
    const answer = await ask('/assets/app.js', { 'Accept-Encoding': accepted });
    expect(answer.text).toBe(text);
    expect(answer.headers['content-type']).toContain('javascript');
    expect(answer.headers['cache-control']).toContain('immutable');
    expect(answer.headers.vary).toContain('Accept-Encoding');
  }
});

it('answers 404 for a file that was deleted after the start', async () => {
  rmSync(join(folder, 'assets/gone.js.br'));
  const answer = await ask('/assets/gone.js', { 'Accept-Encoding': 'br' });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect((await ask('/')).statusCode).toBe(200);
});

it.each([
  ['bytes=0-3', 206],
  ['bytes=5-2', 416],
  ['bytes=99-', 416],
  ['bytes=0-99999999999999999999999', 206],
  ['lines=1-2', 200],
])('answers the range %s with %i', async (range, status) => {
  expect((await ask('/icon.svg', { Range: range })).statusCode).toBe(status);
});

it('closes a file whose reader disconnected', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < 20; count += 1) {
    const request = get({ port, path: '/assets/large.js', agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await once(answer, 'data');
    request.destroy();
  }
  await waitUntil('the files to be closed', () => open() <= before + 5);
});
