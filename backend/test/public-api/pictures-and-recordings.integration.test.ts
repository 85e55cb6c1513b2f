import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { API_LIMITS } from '@tanya/contract';
import { buildConnector } from 'undici';
import { RemotePictures } from '../../src/public-api/answers/remote-pictures.js';
import { PNG_BASE64 } from '../harness/scripted-answers.js';
import { type Certificate, createCertificate } from '../harness/servers/certificate.js';
import { waitUntil } from '../harness/wait-until.js';
import {
  ask,
  type Caller,
  errorIn,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from './public-api-harness.js';

const PNG = Buffer.from(PNG_BASE64, 'base64');
const PNG_URL = `data:image/png;base64,${PNG_BASE64}`;

const SENTENCE = /^A picture could not be fetched\./;

let harness: PublicApiHarness;
let caller: Caller;
let pictures: Server;
let certificate: Certificate;
let seen: { path: string; headers: NodeJS.Dict<string | string[]> }[] = [];

/** Serves pictures like a public host, and what is no picture. */
async function servePictures(): Promise<Server> {
  const [key, cert] = [readFileSync(certificate.key), readFileSync(certificate.certificate)];
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? '';
    seen.push({ path, headers: request.headers });
    const [, hops] = /^\/hops\/(\d+)/.exec(path) ?? [];
    if (hops !== undefined) {
      const next = Number(hops) === 1 ? '/a.png' : `/hops/${Number(hops) - 1}`;
      return response.writeHead(302, { location: next, 'set-cookie': 'a=b' }).end();
    }
    if (path.startsWith('/to?')) return response.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end();
    if (path === '/a.png') return response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG);
    if (path === '/page') return response.writeHead(200, { 'content-type': 'image/png' }).end('<html></html>');
    if (path === '/large')
      return response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(API_LIMITS.pictureBytes)]));
    if (path.startsWith('/filling')) {
      const picture = Buffer.concat([PNG, Buffer.alloc(API_LIMITS.pictureBytes - PNG.length)]);
      return response.writeHead(200).end(picture);
    }
    if (path === '/cut')
      return response.writeHead(200, { 'content-length': '1000' }).end(PNG, () => request.socket.destroy());
    return response.writeHead(404).end(PNG);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Leads every host to the server of the test, past the guard: it stands on no public address. */
function toTestServer(port: number, ca: string): buildConnector.connector {
  const connect = buildConnector({ ca });
  return (options, callback) =>
    connect({ ...options, hostname: '127.0.0.1', port: String(port), servername: 'localhost' }, callback);
}

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  caller = await harness.caller();
  certificate = createCertificate();
  pictures = await servePictures();
});

afterEach(() => harness.settle());

afterAll(async () => {
  pictures.close();
  await harness.close();
});

const partsOf = (urls: string[]) => urls.map((url) => ({ type: 'image_url', image_url: { url, detail: 'low' } }));

const askWith = (...parts: object[]) => ask('x', { messages: [{ role: 'user', content: parts }] });

const lastParts = (): unknown => {
  const [message] = harness.upstream.callsOf().at(-1)!.body['messages'] as { content: unknown }[];
  return message!.content;
};

describe('a picture by address', () => {
  let guarded: buildConnector.connector;

  beforeAll(() => {
    const remote = harness.app.get(RemotePictures);
    guarded = remote.connect;
    const { port } = pictures.address() as AddressInfo;
    remote.connect = toTestServer(port, readFileSync(certificate.certificate, 'utf8'));
  });

  beforeEach(() => {
    seen = [];
  });

  it('reaches the provider as what its content is, fetched once, without cookies and referrer', async () => {
    const urls = [
      'https://pictures.example/a.png',
      'https://pictures.example/hops/3',
      'https://pictures.example/a.png',
    ];
    const answer = await harness.post(caller.key, askWith({ type: 'text', text: 'What?' }, ...partsOf(urls)));
    expect(answer.status).toBe(200);
    const image = { type: 'image_url', image_url: { url: PNG_URL, detail: 'low' } };
    expect(lastParts()).toEqual([{ type: 'text', text: 'What?' }, image, image, image]);
    expect(seen.map(({ path }) => path).sort()).toEqual(['/a.png', '/a.png', '/hops/1', '/hops/2', '/hops/3']);
    for (const { headers } of seen) expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
  });

  it('works in Responses and messages', async () => {
    const url = 'https://pictures.example/a.png';
    const content = [{ type: 'input_image', image_url: url }];
    const response = { model: MODEL, input: [{ role: 'user', content }] };
    expect((await harness.post(caller.key, response, {}, '/api/v1/responses')).status).toBe(200);
    expect(lastParts()).toEqual([{ type: 'image_url', image_url: { url: PNG_URL } }]);
    const block = { type: 'image', source: { type: 'url', url } };
    const message = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: [block] }] };
    expect((await harness.post(caller.key, message, {}, '/api/v1/messages')).status).toBe(200);
    expect(lastParts()).toEqual([{ type: 'image_url', image_url: { url: PNG_URL } }]);
  });

  it.each([
    ['an unknown file', 'https://pictures.example/nothing'],
    ['a page', 'https://pictures.example/page'],
    ['more than 20 MB', 'https://pictures.example/large'],
    ['a connection that breaks off', 'https://pictures.example/cut'],
    ['four redirects', 'https://pictures.example/hops/4'],
    ['a redirect to http', `https://pictures.example/to?${encodeURIComponent('http://pictures.example/a.png')}`],
    [
      'a redirect to another port',
      `https://pictures.example/to?${encodeURIComponent('https://pictures.example:8443/a.png')}`,
    ],
    ['http', 'http://pictures.example/a.png'],
    ['another port', 'https://pictures.example:8443/a.png'],
    ['a login', 'https://me:secret@pictures.example/a.png'],
    ['no address', 'https://'],
    ['a long address', `https://pictures.example/${'a'.repeat(5_000)}`],
  ])('that leads to %s is refused in one sentence, free (SSRF-8)', async (_what, url) => {
    const used = await harness.usedBy(caller);
    const calls = harness.upstream.callsOf().length;
    const answer = await harness.post(caller.key, askWith(...partsOf([url])));
    expect([answer.status, errorIn(answer.body)]).toMatchObject([400, { message: expect.stringMatching(SENTENCE) }]);
    expect(harness.upstream.callsOf()).toHaveLength(calls);
    await harness.settle();
    expect(await harness.usedBy(caller)).toBe(used);
  });

  it('is refused beyond twenty of them, before any is fetched', async () => {
    const urls = Array.from({ length: 21 }, (_, at) => `https://pictures.example/a.png?${at}`);
    const answer = await harness.post(caller.key, askWith(...partsOf(urls)));
    expect([answer.status, errorIn(answer.body).message]).toEqual([400, expect.stringMatching(SENTENCE)]);
    expect(seen).toEqual([]);
  });

  it('is refused as passing while others of its caller fill the memory, and free', async () => {
    const filling = askWith(...partsOf(['https://pictures.example/filling.png']));
    const used = await harness.usedBy(caller);
    harness.upstream.script({ steps: [{ stall: true }] });
    const stalled = new AbortController();
    const calls = harness.upstream.callsOf().length;
    const first = caller.openai.chat.completions.create(filling, { signal: stalled.signal }).catch(() => undefined);
    await waitUntil('the call of the provider', () => harness.upstream.callsOf().length > calls);
    const refused = await harness.post(caller.key, filling);
    expect([refused.status, errorIn(refused.body).code]).toEqual([503, 'server_busy']);
    expect(refused.headers.get('x-should-retry')).toBeNull();
    expect((await harness.post((await harness.caller()).key, ask('x'))).status).toBe(200);
    stalled.abort();
    await first;
    await harness.settle();
    expect(await harness.usedBy(caller)).toBe(used);
    expect((await harness.post(caller.key, filling)).status).toBe(200);
  });

  it('is not fetched for a caller whose quota is spent', async () => {
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1 });
    const answer = await harness.post(caller.key, askWith(...partsOf(['https://pictures.example/a.png'])));
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100 });
    expect([answer.status, seen]).toEqual([403, []]);
  });

  it.each([
    '127.0.0.1',
    '[::1]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '0x7f.1',
    'localhost',
    '[::ffff:127.0.0.1]',
  ])('on %s, which is not public, is refused in the same sentence', async (host) => {
    const remote = harness.app.get(RemotePictures);
    const open = remote.connect;
    remote.connect = guarded;
    const answer = await harness.post(caller.key, askWith(...partsOf([`https://${host}/a.png`])));
    remote.connect = open;
    expect([answer.status, errorIn(answer.body).message]).toEqual([400, expect.stringMatching(SENTENCE)]);
  });
});

describe('a recording', () => {
  it('reaches the provider as it came', async () => {
    const audio = { type: 'input_audio', input_audio: { data: PNG_BASE64, format: 'mp3' } };
    expect((await harness.post(caller.key, askWith(audio))).status).toBe(200);
    expect(lastParts()).toEqual([audio]);
  });

  it.each([
    ['another form', { data: PNG_BASE64, format: 'ogg' }],
    ['no form', { data: PNG_BASE64 }],
    ['an address', { data: 'https://example.com/a.wav', format: 'wav' }],
    ['nothing', null],
  ])('of %s is refused by name', async (_what, input_audio) => {
    const answer = await harness.post(caller.key, askWith({ type: 'input_audio', input_audio }));
    expect([answer.status, errorIn(answer.body)]).toMatchObject([
      400,
      { message: expect.stringContaining('input_audio'), param: 'messages.0.content' },
    ]);
  });

  it('of another role is refused', async () => {
    const audio = { type: 'input_audio', input_audio: { data: PNG_BASE64, format: 'wav' } };
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [audio] },
      { role: 'user', content: 'y' },
    ];
    expect((await harness.post(caller.key, ask('x', { messages }))).status).toBe(400);
  });
});
