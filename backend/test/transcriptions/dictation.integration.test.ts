import { type AdminSettings, type DictationResponse, LIMITS, type PublicSettings, type Quota } from '@tanya/contract';
import { readEnv } from '../../src/config/env.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { PNG_BASE64 } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { filesOnDisk, WAV } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';

const MODEL = 'openai/whisper-1';

let server: TestApp;
let upstream: ScriptedUpstream;
let admin: HttpClient;

beforeAll(async () => {
  upstream = await startUpstream();
  const { openai } = readEnv({ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-test' });
  server = await startTestApp({ env: { openai } });
  admin = await server.admin();
  await admin.post('/api/admin/models', { modelId: MODEL });
});

afterEach(() => waitUntil('the removal of the recording', async () => (await filesOnDisk(server)).length === 0));

afterAll(async () => {
  await server.close();
  await upstream.close();
});

const choose = (transcriptionModelId: unknown) =>
  admin.patch<AdminSettings>('/api/admin/general-settings', { transcriptionModelId });

interface Recording {
  file?: Buffer;
  name?: string;
  type?: string;
  language?: string;
}

function dictate(
  client: HttpClient,
  { file = WAV, name = 'speech.wav', type = 'audio/wav', language }: Recording = {},
) {
  const raw = new FormData();
  if (language !== undefined) raw.append('language', language);
  raw.append('file', new Blob([new Uint8Array(file)], { type }), name);
  return client.send<DictationResponse>('POST', '/api/chat/transcribe', { raw });
}

const used = async (client: HttpClient) => (await client.get<Quota>('/api/user/quota')).body.used;

describe('the setting of the model', () => {
  it('takes an enabled model for transcriptions alone, and shows it to everyone', async () => {
    for (const unusable of ['openai/unlisted-whisper', 'openai/gpt-4o-mini']) {
      expect(errorOf(await choose(unusable)).details).toMatchObject([{ field: 'transcriptionModelId', code: 'model' }]);
    }
    expect((await choose(7)).status).toBe(400);
    expect((await choose(MODEL)).body.transcriptionModelId).toBe(MODEL);
    const guest = await server.guest();
    const read = async () => (await guest.get<PublicSettings>('/api/general-settings')).body.transcriptionModelId;
    expect(await read()).toBe(MODEL);
    expect((await choose(null)).body.transcriptionModelId).toBeNull();
    expect(await read()).toBeNull();
  });

  it('can be sent back unchanged after its model was disabled', async () => {
    const { body: model } = await admin.post<{ id: number }>('/api/admin/models', { modelId: 'openai/whisper-2' });
    await choose('openai/whisper-2');
    await admin.patch(`/api/admin/models/${model.id}/status`, { isEnabled: false });
    expect((await choose('openai/whisper-2')).status).toBe(200);
    const { client } = await server.member();
    expect(errorOf(await dictate(client))).toMatchObject({ statusCode: 400, code: 'model_unavailable' });
    expect(await used(client)).toBe(0);
  });
});

describe('a recording', () => {
  beforeAll(() => choose(MODEL));

  it('becomes text, costs one message and reaches the provider with its language', async () => {
    const { client } = await server.member();
    const { status, body } = await dictate(client, { language: 'id-ID' });
    expect([status, body]).toEqual([200, { text: 'Selamat pagi.' }]);
    expect(await used(client)).toBe(1);
    expect(upstream.callsOf('transcriptions').at(-1)?.body).toEqual({
      model: 'whisper-1',
      language: 'id',
      file: { name: 'speech.wav', type: 'audio/wav', size: WAV.length },
    });
    const [record] = await server.dataSource.query(
      `select channel, cost, state from usage_record order by created_at desc limit 1`,
    );
    expect(record).toEqual({ channel: 'dictation', cost: 1, state: 'charged' });
  });

  it.each([
    ['audio.webm', 'audio/webm;codecs=opus', '1a45dfa3'],
    ['audio.mp4', 'audio/mp4', '0000001c667479704d344120000000004d344120'],
    ['audio.ogg', 'audio/ogg;codecs=opus', '4f67675300020000000000000000'],
  ])('is taken as browsers record it: %s', async (name, type, head) => {
    const { client } = await server.member();
    const file = Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(4_000)]);
    expect((await dictate(client, { name, type, file })).body).toEqual({ text: 'Selamat pagi.' });
    expect(upstream.callsOf('transcriptions').at(-1)?.body['file']).toMatchObject({ name, size: file.length });
  });

  it('of silence is an empty text', async () => {
    const { client } = await server.member();
    upstream.script({ on: 'transcriptions', body: '{"text":" \\n"}' });
    expect((await dictate(client)).body).toEqual({ text: '' });
  });

  it.each<[string, Recording, number, string]>([
    ['without content', { file: Buffer.alloc(0) }, 400, 'invalid'],
    ['that is a picture', { file: Buffer.from(PNG_BASE64, 'base64') }, 415, 'unsupported_type'],
    ['that is a text', { file: Buffer.from('a note'), name: 'note.txt' }, 415, 'unsupported_type'],
    ['above 10 MB', { file: Buffer.concat([WAV, Buffer.alloc(LIMITS.dictationBytes)]) }, 413, 'too_large'],
    ['in no language', { language: 'bahasa Indonesia' }, 400, 'invalid'],
  ])('%s is refused free of charge, before the provider', async (_, recording, statusCode, code) => {
    const { client } = await server.member();
    const calls = upstream.callsOf('transcriptions').length;
    expect(errorOf(await dictate(client, recording))).toMatchObject({ statusCode, code });
    expect(upstream.callsOf('transcriptions')).toHaveLength(calls);
    expect(await used(client)).toBe(0);
  });

  it('names the bound that it exceeds', async () => {
    const { client } = await server.member();
    const refused = errorOf(await dictate(client, { file: Buffer.concat([WAV, Buffer.alloc(LIMITS.dictationBytes)]) }));
    expect(refused.details).toEqual({ params: { max: 10, limit: LIMITS.dictationBytes, unit: 'bytes' } });
  });

  it('is free when the provider fails', async () => {
    const { client } = await server.member();
    upstream.script({ on: 'transcriptions', status: 400, body: '{"error":{"message":"secret detail"}}' });
    const error = errorOf(await dictate(client));
    expect(error).toMatchObject({ statusCode: 500, code: 'provider_refused' });
    expect(error.message).not.toContain('secret');
    upstream.script({ on: 'transcriptions', body: '{"words":[]}' });
    expect(errorOf(await dictate(client)).code).toBe('provider_error');
    expect(await used(client)).toBe(0);
  });

  it('is for members alone', async () => {
    const guest = await server.guest();
    expect(errorOf(await dictate(guest))).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
  });

  it('is refused when the quota is spent', async () => {
    const { client, user } = await server.member();
    await admin.patch(`/api/admin/users/${user.id}`, { quotaOverride: 1 });
    expect((await dictate(client)).status).toBe(200);
    expect(errorOf(await dictate(client))).toMatchObject({ statusCode: 403, code: 'quota_exceeded' });
  });

  it('with a premium model is for premium members', async () => {
    const models = (await admin.get<{ id: number; modelId: string }[]>('/api/admin/models')).body;
    const { id } = models.find(({ modelId }) => modelId === MODEL)!;
    await admin.patch(`/api/admin/models/${id}`, { isPremium: true });
    expect(errorOf(await dictate((await server.member()).client)).code).toBe('model_premium');
    expect((await dictate((await server.member({ isPremium: true })).client)).status).toBe(200);
    await admin.patch(`/api/admin/models/${id}`, { isPremium: false });
  });

  it('is not heard without a model', async () => {
    await choose(null);
    expect(errorOf(await dictate((await server.member()).client)).code).toBe('model_unavailable');
  });
});
