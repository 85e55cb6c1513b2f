import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SOCKET_PATH } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { ROUTES } from './routes-table.js';
import { textFile } from './routes-harness.js';
import { cast, world } from './security-harness.js';
import { sendRaw } from '../fuzz/raw-client.js';
import { startTestApp } from '../harness/test-app.js';

const FOREIGN = ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'https://127.0.0.1'];

/** An id that could be one. */
const NOTHING = 2_147_483_646;

/** Routes that change something and know their asker by cookie, with ids that name nothing. */
const CHANGES = Object.keys(ROUTES)
  .filter((route) => !route.startsWith('GET ') && !route.includes('/api/v1'))
  .map((route) => [...route.replace(':id', String(NOTHING)).split(' ')] as [string, string]);

const READS = Object.keys(ROUTES)
  .filter((route) => route.startsWith('GET /api/') && !route.includes('/api/v1'))
  .map((route) => route.slice(4).replace(':id', '1').replace(':asset', 'swagger-ui.css'));

describe('what another site can make a browser send', () => {
  const forms: [string, string][] = [
    ['application/x-www-form-urlencoded', 'title=x&_method=DELETE'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--x--\r\n'],
    ['text/plain', '{"title":"x"}'],
  ];

  it.each(CHANGES)('CS-1, CS-3: %s %s is refused from a foreign page, whatever it sends', async (method, path) => {
    const before = await world.fingerprint();
    for (const [type, raw] of [...forms, ['application/json', '{}'] as const]) {
      for (const origin of FOREIGN) {
        const answer = await cast.admin.send(method, path, { raw, headers: { 'Content-Type': type, Origin: origin } });
        expect([origin, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([origin, 403, null]);
        expect(answer.body).toMatchObject({ code: 'foreign_origin' });
      }
    }
    expect(await world.fingerprint()).toEqual(before);
  });

  it.each(CHANGES)('CS-1: %s %s takes no form, even without an Origin', async (method, path) => {
    for (const [type, raw] of forms) {
      if (path === '/api/files' && type.startsWith('multipart')) continue;
      expect((await cast.admin.send(method, path, { raw, headers: { 'Content-Type': type } })).status).toBe(415);
    }
  });

  it('CS-2: changes nothing by reading, and overrides no method', async () => {
    const before = await world.fingerprint();
    for (const path of READS) {
      for (const method of ['GET', 'HEAD']) {
        await cast.owner.send(method, `${path}?_method=DELETE&isAdmin=true`, {
          headers: { 'X-HTTP-Method-Override': 'DELETE' },
        });
      }
    }
    expect(await world.fingerprint()).toEqual(before);
  });

  it('CS-3: allows no other site to read anything', async () => {
    for (const path of [...READS, '/', '/api/v1/models', `${SOCKET_PATH}/?EIO=4&transport=polling`]) {
      for (const origin of FOREIGN) {
        const { headers } = await cast.owner.get(path, { headers: { Origin: origin } });
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
    const preflight = await cast.owner.send('OPTIONS', '/api/user', {
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'DELETE' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('HDR-1: every answer', () => {
  const paths = ['/', '/chat/1', '/assets/none.js', '/api/models', '/api/user', '/api/nothing', '/api/v1/models'];

  it.each(paths)('%s carries the headers that protect it', async (path) => {
    const { headers } = await world.client().get(path);
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'self'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
    ]) {
      expect(policy.split(';')).toContain(part);
    }
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('content-type')).toMatch(/charset=utf-8/i);
    if (path.startsWith('/api')) expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/', '/api/models', '/api/nothing', '/api/v1/models'])('%s answers no TRACE', async (path) => {
    const headers = { cookie: cast.owner.cookieHeader };
    const answer = await sendRaw(world.url, { method: 'TRACE', path, headers, body: null });
    expect(answer.status).toBe(405);
    expect(answer.text).not.toContain('tanya');
  });

  it('asks for https for a year once it is reached that way, and AU-7: its cookies go that way alone', async () => {
    const secure = await startTestApp({ env: { publicUrl: new URL('https://chat.example.org') } });
    const browser = secure.client();
    const { headers } = await browser.get('/api/models');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    const { username } = await secure.member().catch(() => ({ username: '' }));
    expect(username).not.toBe('');
    const registered = await browser.post('/api/register', { username: 'somebody', password: 'a quiet harbour' });
    const cookies = registered.headers.getSetCookie();
    const session = cookies.find((line) => line.startsWith('__Host-tanya.sid=')) ?? '';
    expect(session).toMatch(/^__Host-tanya\.sid=[^;]{40,};/);
    for (const line of cookies) {
      expect(line).toMatch(/; Path=\//);
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; Secure/);
      expect(line).toMatch(/; SameSite=Lax/);
      expect(line).not.toMatch(/; Domain=/);
    }
    await secure.close();
  });
});

describe('XSS-6: what a request says of itself', () => {
  it('is not in the page', async () => {
    const plain = await world.client().get('/');
    const evil = '"><script>alert(1)</script>';
    const answer = await world.client().get(`/chat/${encodeURIComponent(evil)}?next=//evil.example`, {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': evil, 'Accept-Language': evil },
    });
    expect(answer.text).toBe(plain.text);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('is not in an error', async () => {
    const answer = await world.client().get('/api/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(answer.text).not.toContain('script');
    expect(answer.headers.get('content-type')).toMatch('application/json');
  });
});

describe('SSRF-1, SSRF-2: an address that a visitor names', () => {
  const addresses = (port: number) => [
    `http://127.0.0.1:${port}/canary`,
    `http://localhost:${port}/canary`,
    `http://[::1]:${port}/canary`,
    `http://2130706433:${port}/canary`,
    `http://0x7f.1:${port}/canary`,
    `http://[::ffff:7f00:1]:${port}/canary`,
    `http://user@127.0.0.1:${port}/canary`,
    `//127.0.0.1:${port}/canary`,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'ftp://127.0.0.1/x',
    '/api/files/../../etc/passwd',
  ];

  it('is never called, on no way in', async () => {
    let calls = 0;
    const canary = createServer((_request, response) => {
      calls += 1;
      response.end('caught');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => canary.once('listening', resolve));
    for (const address of addresses((canary.address() as AddressInfo).port)) {
      for (const field of ['imageData', 'audioData', 'fileUrl']) {
        const content = JSON.stringify({ text: 'See', [field]: address });
        expect([address, (await cast.owner.post('/api/chat/message', { content })).status]).toEqual([address, 400]);
      }
      const parts = [{ type: 'image_url', image_url: { url: address } }];
      const completion = { messages: [{ role: 'user', content: parts }] };
      expect([address, (await cast.key.post('/api/v1/chat', completion)).status]).toEqual([address, 400]);
      const settings = { openaiBaseUrl: address };
      expect((await cast.owner.patch('/api/admin/general-settings', settings)).status).toBe(403);
    }
    expect(calls).toBe(0);
    canary.close();
  });
});

describe('LIM', () => {
  const LISTS = ['/api/chat/threads', '/api/admin/users', '/api/admin/models', '/api/models'];
  const WANTED = ['1e9', '-1', '0', 'NaN', '99999999999999999999', '', '5&limit=6', '[]'];

  it.each(LISTS)('LIM-7: %s is bounded whatever is asked for', async (path) => {
    for (const limit of WANTED) {
      const answer = await cast.admin.get<unknown[]>(`${path}?limit=${limit}`);
      expect([limit, answer.status]).toEqual([limit, 200]);
      expect(answer.body.length).toBeLessThanOrEqual(200);
    }
  });

  it('LIM-7: a page that begins nowhere is refused, not taken for the first', async () => {
    const { threadId } = await world.belongings(cast.admin);
    const lists = ['/api/chat/threads', `/api/chat/threads/${threadId}/messages`, '/api/admin/users'];
    for (const path of [...lists, '/api/chat/threads?query=Hello']) {
      for (const before of ['garbage', '', '-1', '1e3', '2026-02-30T00:00:00.000000Z_1', '1&before=2']) {
        const answer = await cast.admin.get(`${path}${path.includes('?') ? '&' : '?'}before=${before}`);
        expect([path, before, answer.status]).toEqual([path, before, 400]);
      }
    }
  });

  it('LIM-8: a password of a book is refused before it is hashed', async () => {
    const password = 'x'.repeat(500_000);
    for (const path of ['/api/login', '/api/register']) {
      expect((await world.client().post(path, { username: 'reader', password })).status).toBe(400);
    }
  });

  it('LIM-9: bounds what a connection may cost', () => {
    const server = world.app.getHttpServer() as ReturnType<typeof createServer>;
    expect(server.headersTimeout).toBeLessThanOrEqual(30_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(300_000);
    expect(server.maxConnections).toBeLessThanOrEqual(100_000);
  });

  it('LIM-9: a head of more than 16 KB is refused', async () => {
    const headers = { 'x-large': 'x'.repeat(20_000) };
    expect((await sendRaw(world.url, { method: 'GET', path: '/api/models', headers, body: null })).status).toBe(431);
  });

  it.each(CHANGES)('LIM-2: %s %s does nothing with an input that is none', async (method, path) => {
    const asker: HttpClient = cast.admin;
    const before = await world.fingerprint();
    for (const raw of ['{', '[]', '"x"', 'null', '1', '{"a":'.repeat(5_000)]) {
      if (['/api/logout', '/api/user/logout-everywhere'].includes(path) || path.includes('apikey')) continue;
      const answer = await asker.send(method, path, { raw, headers: { 'Content-Type': 'application/json' } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(await world.fingerprint()).toEqual(before);
  });
});

it('UP-1: there is one call that takes a form', async () => {
  for (const [method, path] of CHANGES) {
    if (path === '/api/files') continue;
    expect((await cast.admin.send(method, path, { raw: textFile() })).status).toBe(415);
  }
});

it('SET-1: beside the page nothing can be read, source maps neither', async () => {
  const folder = new URL('../../../frontend/dist/', import.meta.url);
  const built = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  expect(built.filter((name) => name.endsWith('.map'))).toEqual([]);
  const page = await world.client().get('/');
  for (const path of ['/.env', '/.git/config', '/.vite/manifest.json', '/package.json', '/..%2f..%2fpackage.json']) {
    expect([path, (await world.client().get(path)).text]).toEqual([path, page.text]);
  }
});
