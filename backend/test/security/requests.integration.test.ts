import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SOCKET_PATH, type User } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { ROUTES } from './routes-table.js';
import { textFile } from './routes-harness.js';
import { actors, harness } from './security-harness.js';
import { sendRaw } from '../fuzz/raw-client.js';
import { startTestApp } from '../harness/test-app.js';

/** A valid id without an object. */
const UNUSED_ID = 2_147_483_646;

/** The calls that take a form. */
const UPLOADS = [
  '/api/files',
  '/api/user/import',
  '/api/chat/transcribe',
  '/api/admin/logo',
  `/api/projects/${UNUSED_ID}/files`,
];

const FOREIGN = ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'https://127.0.0.1'];

/** Routes that change state and authenticate by cookie, with ids of no object. */
const CHANGES = Object.keys(ROUTES)
  .filter((route) => !route.startsWith('GET ') && !route.includes('/api/v1'))
  .map((route) => [...route.replace(':id', String(UNUSED_ID)).split(' ')] as [string, string]);

const READS = Object.keys(ROUTES)
  .filter((route) => route.startsWith('GET /api/') && !route.includes('/api/v1'))
  .map((route) => route.slice(4).replace(':id', '1').replace(':asset', 'swagger-ui.css'));

describe('a cross-site request', () => {
  const forms: [string, string][] = [
    ['application/x-www-form-urlencoded', 'title=x&_method=DELETE'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--x--\r\n'],
    ['text/plain', '{"title":"x"}'],
  ];

  const types = [...forms, ['application/json', '{}'] as const];

  // Each call gets every type and every origin, and each pair of these goes to a quarter of the calls.
  it.each(CHANGES.map(([method, path], index) => [method, path, index] as const))(
    'CS-1, CS-3: %s %s is refused from foreign origins with every content type',
    async (method, path, index) => {
      const before = await harness.fingerprint();
      for (const [place, [type, raw]] of types.entries()) {
        const origin = FOREIGN[(index + place) % FOREIGN.length]!;
        const headers = { 'Content-Type': type, Origin: origin };
        const answer = await actors.admin.send(method, path, { raw, headers });
        const allowed = answer.headers.get('access-control-allow-origin');
        expect([origin, answer.status, allowed]).toEqual([origin, 403, null]);
        expect(answer.body).toMatchObject({ code: 'foreign_origin' });
      }
      expect(await harness.fingerprint()).toEqual(before);
    },
  );

  it.each(CHANGES)('CS-1: %s %s refuses forms, also without an Origin', async (method, path) => {
    for (const [type, raw] of forms) {
      if (UPLOADS.includes(path) && type.startsWith('multipart')) continue;
      // A signed token decides here, and no cookie.
      if (path.endsWith('/backchannel-logout') && type.endsWith('urlencoded')) continue;
      expect((await actors.admin.send(method, path, { raw, headers: { 'Content-Type': type } })).status).toBe(415);
    }
  });

  it('CS-2: changes nothing with GET and HEAD, and cannot override the method', async () => {
    const before = await harness.fingerprint();
    for (const path of READS) {
      for (const method of ['GET', 'HEAD']) {
        await actors.owner.send(method, `${path}?_method=DELETE&isAdmin=true`, {
          headers: { 'X-HTTP-Method-Override': 'DELETE' },
        });
      }
    }
    expect(await harness.fingerprint()).toEqual(before);
  });

  it('CS-3: gets no CORS headers where cookies count, and none for credentials elsewhere', async () => {
    for (const path of [...READS, '/', `${SOCKET_PATH}/?EIO=4&transport=polling`]) {
      for (const origin of FOREIGN) {
        const { headers } = await actors.owner.get(path, { headers: { Origin: origin } });
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
    const program = await actors.owner.get('/api/v1/models', { headers: { Origin: 'https://evil.example' } });
    expect(program.status).toBe(401);
    expect(program.headers.get('access-control-allow-origin')).toBe('*');
    expect(program.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await actors.owner.send('OPTIONS', '/api/user', {
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'DELETE' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('HDR-1: every response', () => {
  const paths = ['/', '/chat/1', '/assets/none.js', '/api/models', '/api/user', '/api/nothing', '/api/v1/models'];

  it.each(paths)('%s has the security headers', async (path) => {
    const { headers } = await harness.client().get(path);
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

  it('XSS-8: lets the page frame the document of previews alone, which has a policy of its own', async () => {
    const { host } = new URL(harness.url);
    const page = await harness.client().get('/');
    expect(page.headers.get('content-security-policy')?.split(';')).toContain(`frame-src ${host}/preview`);
    const preview = await harness.client().get('/preview?text=<script>alert(1)</script>');
    expect(preview.status).toBe(200);
    expect(preview.text).not.toContain('alert');
    expect(preview.headers.get('content-security-policy')).toBe(
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; form-action 'none'",
    );
    expect(preview.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(preview.headers.get('content-type')).toMatch(/^text\/html/);
    expect(preview.headers.get('set-cookie')).toBeNull();
  });

  it.each(['/', '/api/models', '/api/nothing', '/api/v1/models'])('%s refuses TRACE', async (path) => {
    const headers = { cookie: actors.owner.cookieHeader };
    const answer = await sendRaw(harness.url, { method: 'TRACE', path, headers, body: null });
    expect(answer.status).toBe(405);
    expect(answer.text).not.toContain('tanya');
  });

  it('has HSTS over https, and AU-7: its cookies are Secure, HttpOnly and SameSite', async () => {
    const secure = await startTestApp({ env: { publicUrl: new URL('https://chat.example.org') } });
    const browser = secure.client();
    const { headers } = await browser.get('/api/models');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    const { username } = await secure.member().catch(() => ({ username: '' }));
    expect(username).not.toBe('');
    const registered = await browser.post('/api/register', { username: 'newcomer', password: 'a quiet harbour' });
    const cookies = registered.headers.getSetCookie();
    const session = cookies.find((line) => line.startsWith('__Host-tanya.sid=')) ?? '';
    expect(session).toMatch(/^__Host-tanya\.sid=[^;]{40,};/);
    expect(cookies.some((line) => line.startsWith('__Host-tanya.guest='))).toBe(true);
    for (const line of cookies) {
      expect(line).toMatch(/; Path=\//);
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; Secure/);
      expect(line).toMatch(/; SameSite=Lax/);
      expect(line).not.toMatch(/; Domain=/);
    }
    await secure.close();
  });

  it('AU-7: does not make a visitor the guest whose cookie a sibling domain has set', async () => {
    const secure = await startTestApp({ env: { publicUrl: new URL('https://chat.example.org') } });
    const attacker = await secure.guest();
    const name = '__Host-tanya.guest';
    const planted = attacker.cookies.get(name)!;
    const guestOf = (value: string | undefined) => value?.split('.')[0];

    const visitor = secure.client();
    visitor.cookies.set('tanya.guest', planted);
    await visitor.get('/api/general-settings');
    expect(visitor.cookies.get(name)).toBeDefined();
    expect(guestOf(visitor.cookies.get(name))).not.toBe(guestOf(planted));

    const own = visitor.cookies.get(name);
    const again = await visitor.get('/api/general-settings');
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(visitor.cookies.get(name)).toBe(own);
    await secure.close();
  });
});

describe('XSS-6: text of a request', () => {
  it('is not reflected in the page', async () => {
    const plain = await harness.client().get('/');
    const evil = '"><script>alert(1)</script>';
    const answer = await harness.client().get(`/chat/${encodeURIComponent(evil)}?next=//evil.example`, {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': evil, 'Accept-Language': evil },
    });
    expect(answer.text).toBe(plain.text);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('is not reflected in an error', async () => {
    const answer = await harness.client().get('/api/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(answer.text).not.toContain('script');
    expect(answer.headers.get('content-type')).toMatch('application/json');
  });
});

describe('SSRF-1, SSRF-2: an address in a request', () => {
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

  it('is never called, by any entry point', async () => {
    let calls = 0;
    const canary = createServer((_request, response) => {
      calls += 1;
      response.end('caught');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => canary.once('listening', resolve));
    for (const address of addresses((canary.address() as AddressInfo).port)) {
      for (const field of ['imageData', 'audioData', 'fileUrl']) {
        const content = JSON.stringify({ text: 'See', [field]: address });
        expect([address, (await actors.owner.post('/api/chat/message', { content })).status]).toEqual([address, 400]);
      }
      const parts = [{ type: 'image_url', image_url: { url: address } }];
      const completion = { messages: [{ role: 'user', content: parts }] };
      expect([address, (await actors.key.post('/api/v1/chat', completion)).status]).toEqual([address, 400]);
      const settings = { openaiBaseUrl: address };
      expect((await actors.owner.patch('/api/admin/general-settings', settings)).status).toBe(403);
    }
    expect(calls).toBe(0);
    canary.close();
  });
});

describe('LIM', () => {
  const LISTS = ['/api/chat/threads', '/api/admin/users', '/api/admin/models', '/api/models'];
  const SIZES = ['1e9', '-1', '0', 'NaN', '99999999999999999999', '', '5&limit=6', '[]'];

  // Without more rows than the largest page, no list could exceed its bound.
  beforeAll(async () => {
    const { id } = (await actors.admin.get<User>('/api/user')).body;
    await harness.dataSource.query(
      `insert into thread (owner, user_id, title) select 'user:' || $1, $1::int, 'listed' from generate_series(1, 300)`,
      [id],
    );
    await harness.dataSource.query(
      `insert into "user" (username, username_key, password_hash) select 'listed-' || n, 'listed-' || n, '' from generate_series(1, 300) n`,
    );
  });

  it.each(LISTS)('LIM-7: %s is bounded for every limit', async (path) => {
    for (const limit of SIZES) {
      const answer = await actors.admin.get<unknown[]>(`${path}?limit=${limit}`);
      expect([limit, answer.status]).toEqual([limit, 200]);
      expect(answer.body.length).toBeLessThanOrEqual(200);
    }
  });

  it('LIM-7: an invalid cursor is refused', async () => {
    const { threadId } = await harness.belongings(actors.admin);
    const lists = ['/api/chat/threads', `/api/chat/threads/${threadId}/messages`, '/api/admin/users'];
    for (const path of [...lists, '/api/chat/threads?query=Hello']) {
      for (const before of ['garbage', '', '-1', '1e3', '2026-02-30T00:00:00.000000Z_1', '1&before=2']) {
        const answer = await actors.admin.get(`${path}${path.includes('?') ? '&' : '?'}before=${before}`);
        expect([path, before, answer.status]).toEqual([path, before, 400]);
      }
    }
  });

  it('LIM-8: an oversized password is refused before it is hashed', async () => {
    const password = 'x'.repeat(500_000);
    for (const path of ['/api/login', '/api/register']) {
      expect((await harness.client().post(path, { username: 'reader', password })).status).toBe(400);
    }
  });

  it('LIM-9: the server limits header time, request time and connections', () => {
    const server = harness.app.getHttpServer() as ReturnType<typeof createServer>;
    expect(server.headersTimeout).toBeLessThanOrEqual(30_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(300_000);
    expect(server.maxConnections).toBeLessThanOrEqual(100_000);
  });

  it('LIM-9: a head of more than 16 KB is refused', async () => {
    const headers = { 'x-large': 'x'.repeat(20_000) };
    expect((await sendRaw(harness.url, { method: 'GET', path: '/api/models', headers, body: null })).status).toBe(431);
  });

  const WITHOUT_BODY = ['/api/logout', '/api/user/logout-everywhere', '/api/login/passkey/options'];

  it.each(CHANGES)('LIM-2: %s %s refuses malformed input and changes nothing', async (method, path) => {
    const client: HttpClient = actors.admin;
    const before = await harness.fingerprint();
    for (const raw of ['{', '[]', '"x"', 'null', '1', '{"a":'.repeat(5_000)]) {
      if (WITHOUT_BODY.includes(path) || path.includes('apikey')) continue;
      const answer = await client.send(method, path, { raw, headers: { 'Content-Type': 'application/json' } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(await harness.fingerprint()).toEqual(before);
  });
});

it('UP-1: uploads are the only calls that accept a form', async () => {
  for (const [method, path] of CHANGES) {
    if (UPLOADS.includes(path)) continue;
    expect((await actors.admin.send(method, path, { raw: textFile() })).status).toBe(415);
  }
});

it('SET-1: only the page can be read, without source maps', async () => {
  const folder = new URL('../../../frontend/dist/', import.meta.url);
  const built = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  expect(built.filter((name) => name.endsWith('.map'))).toEqual([]);
  const page = await harness.client().get('/');
  for (const path of ['/.env', '/.git/config', '/.vite/manifest.json', '/package.json', '/..%2f..%2fpackage.json']) {
    expect([path, (await harness.client().get(path)).text]).toEqual([path, page.text]);
  }
});
