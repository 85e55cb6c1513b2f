import { once } from 'node:events';
import { connect } from 'node:net';
import type { ApiKeyResponse } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let mail: MailServer;
let server: TestApp;
let member: HttpClient;
let key: string;

beforeAll(async () => {
  mail = await MailServer.start();
  server = await startTestApp({ env: { smtp: { url: mail.url, from: 'Tanya <tanya@example.org>' } } });
  member = (await server.member()).client;
  key = (await member.post<ApiKeyResponse>('/api/user/apikey/generate')).body.apiKey!;
  const admin = await server.admin();
  expect((await admin.patch('/api/admin/general-settings', { registrationMode: 'closed' })).status).toBe(200);
});

afterAll(async () => {
  await server.close();
  await mail.close();
});

/** The class of a status: 4 for a refusal. */
const classOf = ({ status }: { status: number }): number => Math.floor(status / 100);

let count = 0;

it.each([null, '', ' ', [], ['a'], {}, { $ne: null }, true, 0, 'undefined'])(
  'no call takes %j for the token of a link (AU-13, AU-26)',
  async (token) => {
    const username = `newcomer-${(count += 1)}`;
    const answers = [
      await server.client().post('/api/password-reset/confirm', { token, newPassword: PASSWORD }),
      await server.client().post('/api/register/confirm', { token }),
      await server.client().post('/api/register', { username, password: PASSWORD, invitation: token }),
    ];
    expect(answers.map(classOf)).toEqual([4, 4, 4]);
  },
);

it.each(['/api/files', '/api/user/import', '/api/chat/transcribe', '/api/v1/audio/transcriptions'])(
  '%s reads no file that a body only names, however it is called (UP-1)',
  async (path) => {
    const raw = JSON.stringify({ file: { path: '/etc/passwd', filepath: '/etc/passwd', size: 1 } });
    const types = ['application/json', 'application/json; multipart/form-data; boundary=x', 'multipart/form-data'];
    for (const address of [path, `${path}/`, path.toUpperCase()]) {
      for (const type of types) {
        const headers = { 'Content-Type': type, Authorization: `Bearer ${key}` };
        const answer = await member.send('POST', address, { raw, headers });
        expect([address, type, classOf(answer)]).toEqual([address, type, 4]);
      }
    }
  },
);

it.each([
  ['X-Original-URL', '/api/admin/users'],
  ['X-Rewrite-URL', '/api/admin/users'],
  ['X-Forwarded-Uri', '/api/health/live'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-User', 'admin'],
  ['X-Forwarded_User', 'admin'],
  ['X-Remote-User', 'admin'],
])('the header %s names neither another call nor another person (ADM-2)', async (name, value) => {
  const headers = { [name]: value };
  expect((await member.get('/api/admin/users', { headers })).status).toBe(403);
  expect((await server.client().get('/api/admin/users', { headers })).status).toBe(401);
  expect((await member.get('/api/health/live', { headers })).text).not.toContain('username');
});

/** Sends a path as it is, which `fetch` would tidy, and reads the whole answer. */
function getRaw(path: string, cookie: string): Promise<string> {
  const { hostname, port, host } = new URL(server.url);
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Cookie: ${cookie}`, 'Accept: application/json'];
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write([...head, 'Connection: close', '', ''].join('\r\n')),
    );
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

it.each([
  '/api/admin/users/',
  '/API/ADMIN/USERS',
  '//api/admin/users',
  '/api//admin/users',
  '/api/admin/users;x=1',
  '/api/admin;/users',
  '/api/%61dmin/users',
  '/api/health/../admin/users',
  '/api/v1/../admin/users',
  '/api/health/%2e%2e/admin/users',
  '/api/docs/..%2fadmin/users',
  '/api/admin/users%00',
  '/api/admin/%zz',
  '/assets/..%2f..%2f..%2fpackage.json',
  'http://127.0.0.1/api/admin/users',
  'http://evil.example/api/admin/users',
])('no spelling reaches the calls of admins, and none fails: %s (ADM-2)', async (path) => {
  for (const cookie of ['', member.cookieHeader]) {
    const answer = await getRaw(path, cookie);
    // The page answers addresses outside of the API; it may not have been built.
    expect(answer).toMatch(/^HTTP\/1\.1 (200|4\d\d|503) /);
    expect(answer).not.toMatch(/"username":|"dependencies":/);
  }
});

it('a call that offers HTTP/2 is served, as that of a Java program without TLS', async () => {
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ username: 'nobody', password: PASSWORD });
  const head = [
    'POST /api/login HTTP/1.1',
    'Connection: Upgrade, HTTP2-Settings',
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
    `Host: ${hostname}`,
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    'Upgrade: h2c',
    'User-Agent: Java-http-client/21',
  ];
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 [^]*invalid_credentials/);
  socket.destroy();
});
