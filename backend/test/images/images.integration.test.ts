import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { type GenerateImageResponse, LIMITS, type Quota, TEXTS } from '@tanya/contract';
import { readEnv } from '../../src/config/env.js';
import { ModelsService } from '../../src/models/models.service.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { download, PNG } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';

let server: TestApp;
let upstream: ScriptedUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  const { openai } = readEnv({ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-test' });
  server = await startTestApp({ env: { openai } });
});

afterAll(async () => {
  await server.close();
  await upstream.close();
});

const draw = (client: HttpClient, prompt: unknown = 'perahu merah') =>
  client.post<GenerateImageResponse>('/api/generate-image', { prompt, guestUsage: 99 });

/** Requests an image with an idempotency key, as pages do. */
const drawWithId = (client: HttpClient, clientMessageId: string, prompt = 'perahu merah') =>
  client.post<GenerateImageResponse>('/api/generate-image', { prompt, clientMessageId });

const used = async (client: HttpClient) => (await client.get<Quota>('/api/user/quota')).body.used;

it('gives a repetition its image when the model is gone', async () => {
  const { client } = await server.member();
  const clientMessageId = randomUUID();
  const first = await drawWithId(client, clientMessageId);
  const model = jest.spyOn(server.app.get(ModelsService), 'imageModelFor').mockReturnValue(null);
  const again = await drawWithId(client, clientMessageId);
  model.mockRestore();
  expect([again.status, again.body]).toEqual([200, first.body]);
});

it('stores, serves and charges an image', async () => {
  const { client } = await server.member();
  const { status, body } = await draw(client);
  expect(status).toBe(200);
  expect(body).toEqual({ url: expect.stringMatching(/^\/api\/files\//), cost: LIMITS.imageCost });
  const { bytes, headers } = await download(client, body.url);
  expect(bytes.equals(PNG)).toBe(true);
  expect(headers.get('content-type')).toBe('image/png');
  expect(await used(client)).toBe(LIMITS.imageCost);
  expect(upstream.callsOf('images').at(-1)?.body).toMatchObject({ model: 'gpt-image-1', prompt: 'perahu merah' });
});

it('returns the same image for a repeated id, drawn and charged once', async () => {
  const { client } = await server.member();
  const id = randomUUID();
  const calls = upstream.callsOf('images').length;
  const answers = await Promise.all([drawWithId(client, id), drawWithId(client, id)]);
  answers.push(await drawWithId(client, id.toUpperCase()));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, answers[0]?.body]));
  expect(upstream.callsOf('images')).toHaveLength(calls + 1);
  expect(await used(client)).toBe(LIMITS.imageCost);
  expect(errorOf(await drawWithId(client, id, 'perahu biru')).code).toBe('idempotency_mismatch');
  expect((await drawWithId((await server.member()).client, id)).body.url).not.toBe(answers[0]?.body.url);
});

it('retries a failed image under the same id', async () => {
  const { client } = await server.member();
  const id = randomUUID();
  upstream.script({ on: 'images', status: 400, body: '{"error":{"message":"no"}}' });
  expect((await drawWithId(client, id)).status).toBe(500);
  expect((await drawWithId(client, id)).status).toBe(200);
  expect(await used(client)).toBe(LIMITS.imageCost);
});

it('serves an image to its owner alone', async () => {
  const { client } = await server.member();
  const { body } = await draw(client);
  expect((await (await server.admin()).get(body.url)).status).toBe(404);
});

it.each([
  ['an upstream error', { status: 400, body: '{"error":{"message":"secret detail"}}' }],
  ['an HTML page', { body: '<html>' }],
  ['an image at a private address', { body: '{"data":[{"url":"http://169.254.169.254/latest"}]}' }],
  ['an SVG', { body: JSON.stringify({ data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] }) }],
])('charges and stores nothing for %s', async (_, script) => {
  const { client } = await server.member();
  const [{ count }] = await server.dataSource.query('select count(*) from file');
  upstream.script({ on: 'images', ...script });
  const error = errorOf(await draw(client));
  expect(error.statusCode).toBe(500);
  expect(error.message).not.toContain('secret');
  expect(await used(client)).toBe(0);
  expect(await server.dataSource.query('select count(*) from file')).toEqual([{ count }]);
});

it('refuses a guest whose quota is smaller than the cost of an image, without a call', async () => {
  const guest = await server.guest();
  const calls = upstream.callsOf('images').length;
  expect(errorOf(await draw(guest))).toMatchObject({ statusCode: 403, code: 'quota_exceeded' });
  expect(upstream.callsOf('images')).toHaveLength(calls);
});

it('gives the image to a guest who signs in while it is drawn', async () => {
  await (await server.admin()).patch('/api/admin/general-settings', { guestMessageQuota: 2 * LIMITS.imageCost });
  const guest = await server.guest();
  const calls = upstream.callsOf('images').length;
  const release = upstream.hold({
    on: 'images',
    body: JSON.stringify({ data: [{ b64_json: PNG.toString('base64') }] }),
  });
  const drawn = draw(guest);
  await waitUntil('the call', () => upstream.callsOf('images').length > calls);
  await guest.post('/api/register', { username: `guest-${randomUUID()}`, password: PASSWORD });
  release();
  const { status, body } = await drawn;
  expect([status, (await guest.get(body.url)).status]).toEqual([200, 200]);
});

it('draws no more concurrent images than the quota allows', async () => {
  const { client } = await server.member();
  await (await server.admin()).patch('/api/admin/general-settings', { freeUserMessageQuota: 3 * LIMITS.imageCost + 1 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => draw(client)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(7);
  expect(await used(client)).toBe(3 * LIMITS.imageCost);
});

it.each(['', '   ', null, 7, undefined])('refuses the description %j', async (prompt) => {
  const answer = await (await server.guest()).post('/api/generate-image', { prompt });
  expect(errorOf(answer)).toMatchObject({ statusCode: 400, message: TEXTS.images.promptRequired });
});

it('refuses a description over the limit', async () => {
  expect(errorOf(await draw(await server.guest(), 'x'.repeat(LIMITS.imagePrompt.max + 1))).code).toBe('invalid');
});
