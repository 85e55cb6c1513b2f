import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenAiCompatibleProvider } from '../../src/providers/upstream/openai-compatible.provider.js';
import { TEST_TIMINGS } from '../harness/collect-answer.js';
import { PNG_BASE64, type Script } from '../harness/scripted-answers.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

const signal = new AbortController().signal;

let upstream: ScriptedUpstream;
let provider: OpenAiCompatibleProvider;
let canary: Server;
let canaryHits = 0;
beforeEach(async () => {
  upstream = await startUpstream();
  const { url: baseUrl } = upstream;
  provider = new OpenAiCompatibleProvider({
    name: 'openai',
    baseUrl,
    mayBePrivate: true,
    apiKey: 'sk-secret',
    timings: TEST_TIMINGS,
  });
  canaryHits = 0;
  canary = createServer((_, response) => {
    canaryHits += 1;
    response.end(Buffer.from(PNG_BASE64, 'base64'));
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  canary.close();
  await upstream.close();
  await provider.close();
});

function draw(...scripts: Script[]): ReturnType<OpenAiCompatibleProvider['generateImage']> {
  upstream.script(...scripts.map((script) => ({ ...script, on: script.on ?? ('images' as const) })));
  return provider.generateImage({ model: 'gpt-image-1', prompt: 'a cat' }, signal);
}

function imageAt(url: string): Script {
  return { body: JSON.stringify({ data: [{ url }] }) };
}

function imageOf(bytes: Buffer): Script {
  return { body: JSON.stringify({ data: [{ b64_json: bytes.toString('base64') }] }) };
}

it('requests one picture with the fields of the request and no other', async () => {
  await draw();
  expect(upstream.callsOf('images')[0]?.body).toEqual({ model: 'gpt-image-1', prompt: 'a cat', n: 1 });
});

it('downloads a picture from the upstream without sending the key', async () => {
  const origin = new URL(upstream.url).origin;
  const image = await draw(imageAt(`${origin}/picture.txt`), {
    on: 'other',
    headers: { 'content-type': 'text/plain' },
    base64Body: PNG_BASE64,
  });
  expect(image).toEqual({ type: 'image/png', bytes: Buffer.from(PNG_BASE64, 'base64') });
  expect(upstream.callsOf('other')[0]?.headers.authorization).toBeUndefined();
});

it.each(['/picture.txt', './files/picture.txt'])(
  'downloads the picture %s from the upstream itself',
  async (address) => {
    const image = await draw(imageAt(address), { on: 'other', base64Body: PNG_BASE64 });
    expect(image.bytes).toEqual(Buffer.from(PNG_BASE64, 'base64'));
  },
);

it.each(['data:image/png;base64,', 'DATA:text/plain;charset=utf-8;BASE64,'])(
  'reads a picture in the URL %s',
  async (head) => {
    const image = await draw(imageAt(head + PNG_BASE64));
    expect(image).toEqual({ type: 'image/png', bytes: Buffer.from(PNG_BASE64, 'base64') });
  },
);

it.each([
  ['in a data URL as base64', [{ b64_json: `data:image/png;base64,${PNG_BASE64}` }]],
  ['beside an empty text', [{ url: `data:image/png;base64,${PNG_BASE64}`, b64_json: '' }]],
  [
    'behind entries without one',
    [{ url: '', b64_json: '' }, null, 'x', {}, { url: null, b64_json: null }, { b64_json: PNG_BASE64 }],
  ],
])('reads a picture %s', async (_name, data) => {
  const image = await draw({ body: JSON.stringify({ data }) });
  expect(image).toEqual({ type: 'image/png', bytes: Buffer.from(PNG_BASE64, 'base64') });
});

it.each([
  'http://127.0.0.1:PORT/x.png',
  'http://localhost:PORT/x.png',
  'http://2130706433:PORT/x.png',
  'http://0x7f.1:PORT/x.png',
  'http://[::1]:PORT/x.png',
  'http://[::ffff:7f00:1]:PORT/x.png',
  'http://user@127.0.0.1:PORT/x.png',
  'http://0.0.0.0:PORT/x.png',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'ftp://127.0.0.1/x.png',
  'not an address',
  'data:image/png,x',
  'data:image/png;base64,',
  'data:image/svg+xml;base64,PHN2Zz4=',
])('F45, SSRF-1, SSRF-2, SSRF-4: never downloads %s', async (url) => {
  const { port } = canary.address() as AddressInfo;
  await expect(draw(imageAt(url.replace('PORT', String(port))))).rejects.toMatchObject({ name: 'ProviderError' });
  expect(canaryHits).toBe(0);
});

it('F45, SSRF-3: does not follow the redirect of a picture', async () => {
  const { port } = canary.address() as AddressInfo;
  const redirect: Script = { on: 'other', status: 302, headers: { location: `http://127.0.0.1:${port}/x.png` } };
  const origin = new URL(upstream.url).origin;
  await expect(draw(imageAt(`${origin}/picture.png`), redirect)).rejects.toMatchObject({ code: 'provider_error' });
  expect(canaryHits).toBe(0);
});

it.each<[string, Script]>([
  ['an HTML page', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
  ['no picture', { body: '{"data":[]}' }],
  ['wrong types', { body: '{"data":[{"b64_json":{"a":1}}]}' }],
  ['an SVG with a script', imageOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))],
  ['HTML behind base64', imageOf(Buffer.from('<html><script>alert(1)</script></html>'))],
  ['a GIF, which is not an allowed type', imageOf(Buffer.from('GIF89a'))],
  ['more than 20 MB', imageOf(Buffer.concat([Buffer.from(PNG_BASE64, 'base64'), Buffer.alloc(21 * 1024 * 1024)]))],
  [
    'a URL of more than 20 MB',
    imageAt(`data:image/png;base64,${PNG_BASE64.slice(0, 64)}${'A'.repeat(28 * 1024 * 1024)}`),
  ],
  ['a body of 40 MB', { body: `{"data":"${'x'.repeat(40 * 1024 * 1024)}"}` }],
])('F45: refuses %s', async (_name, script) => {
  await expect(draw(script)).rejects.toMatchObject({ name: 'ProviderError', code: 'provider_error' });
});

it('F45: refuses a download of more than 20 MB', async () => {
  const origin = new URL(upstream.url).origin;
  const large: Script = { on: 'other', body: 'x'.repeat(21 * 1024 * 1024) };
  await expect(draw(imageAt(`${origin}/picture.png`), large)).rejects.toMatchObject({ code: 'provider_error' });
});

it.each([
  ['data_inspection_failed', 'provider_refused'],
  [{ message: 'Incorrect API key provided' }, 'provider_auth'],
  [{ message: 'boom', code: 500 }, 'provider_error'],
])('tells the error %j of status 200, and does not repeat the call', async (error, code) => {
  await expect(draw({ body: JSON.stringify({ error }) })).rejects.toMatchObject({ code });
  expect(upstream.callsOf('images')).toHaveLength(1);
});

it.each(['text/plain', 'text/html; charset=UTF-8'])(
  'reads images with a byte order mark and the type %s',
  async (type) => {
    const body = `\ufeff${JSON.stringify({ data: [{ b64_json: PNG_BASE64 }] })}`;
    expect((await draw({ body, headers: { 'content-type': type } })).type).toBe('image/png');
  },
);

it('reads a list of images under the name of SiliconFlow', async () => {
  const image = await draw({ body: JSON.stringify({ images: [{ b64_json: PNG_BASE64 }] }) });
  expect(image.type).toBe('image/png');
});

it('reports a refusal as a typed error', async () => {
  const refusal = { error: { code: 'moderation_blocked', message: 'Rejected by the safety system' } };
  await expect(draw({ status: 400, body: JSON.stringify(refusal) })).rejects.toMatchObject({
    code: 'provider_refused',
  });
});

it('can be stopped while it waits for the picture', async () => {
  const stop = new AbortController();
  upstream.script({ on: 'images', delay: 60_000 });
  const image = provider.generateImage({ model: 'gpt-image-1', prompt: 'a cat' }, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(image).rejects.toThrow('stopped');
});
