import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { API_LIMITS } from '@tanya/contract';
import { toFile } from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import { PNG_BASE64, TRANSCRIPTS } from '../harness/scripted-answers.js';
import { filesOnDisk, audioForm, WAV } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';
import { errorIn, failureOf, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const PATH = '/api/v1/audio/transcriptions';
const CLOSED_MODEL = 'openai/closed-transcriber';
const JSON_TRANSCRIPT = JSON.parse(TRANSCRIPTS['json']!) as object;

describe.each(ADAPTERS)('a transcription, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
    const closed = { modelId: CLOSED_MODEL, name: 'Closed', provider: 'Tests', isEnabled: false };
    const admin = await harness.admin();
    await admin.post('/api/admin/models', closed);
    await admin.post('/api/admin/models', { modelId: 'openai/whisper-1' });
  });

  afterEach(async () => {
    await harness.settle();
    // Staged audio files are removed with their request.
    await waitUntil('the removal of the audio file', async () => (await filesOnDisk(harness)).length === 0);
  });

  afterAll(() => harness.close());

  const transcribe = (key: string, raw: FormData | string, headers: Record<string, string> = {}) =>
    harness.client().send<unknown>('POST', PATH, { raw, headers: { Authorization: `Bearer ${key}`, ...headers } });

  const sent = () => harness.upstream.callsOf('transcriptions').at(-1)!;

  it('of the official client costs one message and reaches the upstream with its fields', async () => {
    const caller = await harness.caller();
    const answer = await caller.openai.audio.transcriptions.create({
      file: await toFile(WAV, 'speech.wav', { type: 'audio/wav' }),
      model: 'openai/whisper-1',
      language: 'id',
      prompt: 'Tanya, a chat assistant',
      temperature: 0.2,
    });
    expect(answer).toEqual(JSON_TRANSCRIPT);
    expect(sent().body).toEqual({
      model: 'whisper-1',
      language: 'id',
      prompt: 'Tanya, a chat assistant',
      temperature: '0.2',
      file: { name: 'speech.wav', type: 'audio/wav', size: WAV.length },
    });
    expect(Number(sent().headers['content-length'])).toBeGreaterThan(WAV.length);
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it.each(['text', 'srt', 'vtt'] as const)('of the format %s is plain text', async (format) => {
    const { key, openai } = await harness.caller();
    const answer = await transcribe(key, audioForm({ response_format: format }));
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      TRANSCRIPTS[format],
    ]);
    expect(answer.headers.get('x-ratelimit-remaining-requests')).not.toBeNull();
    const file = await toFile(WAV, 'speech.wav');
    expect(await openai.audio.transcriptions.create({ file, model: 'whisper-1', response_format: format })).toBe(
      TRANSCRIPTS[format],
    );
  });

  it('of the format verbose_json takes granularities of its times, and others ignore the default', async () => {
    const { key, openai } = await harness.caller();
    const answer = await openai.audio.transcriptions.create({
      file: await toFile(WAV, 'speech.wav'),
      model: 'whisper-1',
      response_format: 'verbose_json',
      timestamp_granularities: ['segment'],
    });
    expect(answer).toEqual(JSON.parse(TRANSCRIPTS['verbose_json']!));
    expect(sent().body).toMatchObject({ response_format: 'verbose_json', 'timestamp_granularities[]': 'segment' });
    const form = audioForm({ response_format: 'json', 'timestamp_granularities[]': 'segment' });
    expect((await transcribe(key, form)).status).toBe(200);
    expect(sent().body).not.toHaveProperty('timestamp_granularities[]');
  });

  it('accepts its fields before and after the file, x-api-key, and a name without an extension', async () => {
    const { key } = await harness.caller();
    const form = new FormData();
    form.append('model', 'whisper-1');
    form.append('unknown', 'ignored');
    form.append('file', new Blob([new Uint8Array(WAV)]), 'blob');
    form.append('language', '');
    const answer = await harness.client().send('POST', PATH, { raw: form, headers: { 'x-api-key': key } });
    expect([answer.status, answer.body]).toEqual([200, JSON_TRANSCRIPT]);
    expect(sent().body).toEqual({
      model: 'whisper-1',
      file: { name: 'blob.wav', type: 'audio/wav', size: WAV.length },
    });
  });

  it('sends an audio file of the largest size', async () => {
    const { key } = await harness.caller();
    const large = Buffer.concat([WAV, Buffer.alloc(API_LIMITS.transcriptionBytes - WAV.length)]);
    expect((await transcribe(key, audioForm({}, large))).status).toBe(200);
    expect(sent().body['file']).toMatchObject({ size: API_LIMITS.transcriptionBytes });
    const tooLarge = await transcribe(key, audioForm({}, Buffer.concat([large, Buffer.alloc(1)])));
    expect([tooLarge.status, errorIn(tooLarge.body)]).toMatchObject([413, { code: 'too_large', param: 'file' }]);
  });

  const repeated = (): FormData => {
    const form = audioForm();
    form.append('model', 'other');
    return form;
  };

  const withoutFile = (): FormData => {
    const form = new FormData();
    form.append('model', 'whisper-1');
    return form;
  };

  const withoutModel = (): FormData => {
    const form = audioForm();
    form.delete('model');
    return form;
  };

  it.each<[status: number, param: string | null, form: () => FormData]>([
    [400, 'model', withoutModel],
    [400, 'model', repeated],
    [404, 'model', () => audioForm({ model: CLOSED_MODEL })],
    [400, 'file', withoutFile],
    [400, 'file', () => audioForm({}, Buffer.alloc(0))],
    [415, 'file', () => audioForm({}, Buffer.from(PNG_BASE64, 'base64'))],
    [415, 'file', () => audioForm({}, Buffer.from('a note'), 'note.txt')],
    [400, 'language', () => audioForm({ language: 'bahasa Indonesia' })],
    [400, 'prompt', () => audioForm({ prompt: 'x'.repeat(4_001) })],
    [400, 'prompt', () => audioForm({ prompt: 'x'.repeat(20_000) })],
    [400, 'response_format', () => audioForm({ response_format: 'xml' })],
    [400, 'temperature', () => audioForm({ temperature: '1.5' })],
    [400, 'temperature', () => audioForm({ temperature: 'warm' })],
    [400, 'timestamp_granularities[]', () => audioForm({ 'timestamp_granularities[]': 'word' })],
    [400, 'stream', () => audioForm({ stream: 'true' })],
    [400, 'include[]', () => audioForm({ 'include[]': 'logprobs' })],
    [400, 'chunking_strategy', () => audioForm({ chunking_strategy: 'auto' })],
  ])(
    'is refused with %i and the name of %s, free of quota and of a call (AZ-8, case %#)',
    async (status, param, form) => {
      const caller = await harness.caller();
      const calls = harness.upstream.callsOf('transcriptions').length;
      const answer = await transcribe(caller.key, form());
      expect([answer.status, errorIn(answer.body).param]).toEqual([status, param]);
      expect(harness.upstream.callsOf('transcriptions')).toHaveLength(calls);
      expect(await harness.usedBy(caller)).toBe(0);
    },
  );

  it('refuses a body that is not a form, and a form with too many fields', async () => {
    const { key } = await harness.caller();
    const json = await transcribe(key, '{"model":"whisper-1"}', { 'Content-Type': 'application/json' });
    expect([json.status, errorIn(json.body).code]).toEqual([415, 'unsupported_type']);
    const fields = Array.from({ length: 30 }, (_, at): [string, string] => [`field${at}`, 'x']);
    const many = await transcribe(key, audioForm(Object.fromEntries(fields)));
    expect([many.status, errorIn(many.body).code]).toEqual([400, 'invalid']);
  });

  it.each([
    ['an error', { status: 400, body: '{"error":{"message":"Invalid file format."}}' }],
    ['HTML', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
    ['an object without text', { body: '{"error":{"message":"no"}}' }],
  ])('costs nothing when the upstream answers with %s', async (_title, script) => {
    const caller = await harness.caller();
    harness.upstream.script({ on: 'transcriptions' as const, ...script });
    const answer = await transcribe(caller.key, audioForm());
    expect([answer.status >= 400, errorIn(answer.body).type]).toEqual([true, 'provider_error']);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('sends the audio file again after a transient failure of the upstream', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ on: 'transcriptions', status: 503, body: '{}' });
    expect((await transcribe(caller.key, audioForm())).status).toBe(200);
    expect(sent().body['file']).toMatchObject({ size: WAV.length });
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('with a repeated Idempotency-Key is charged once, also in parallel, and refuses another audio file', async () => {
    const caller = await harness.caller();
    const calls = harness.upstream.callsOf('transcriptions').length;
    const headers = { 'Idempotency-Key': 'once' };
    const form = () => audioForm({ response_format: 'srt' });
    const answers = await Promise.all([1, 2, 3].map(() => transcribe(caller.key, form(), headers)));
    answers.push(await transcribe(caller.key, form(), headers));
    for (const { status, text } of answers) expect([status, text]).toEqual([200, TRANSCRIPTS['srt']]);
    expect(harness.upstream.callsOf('transcriptions')).toHaveLength(calls + 1);
    expect(await harness.usedBy(caller)).toBe(1);
    const other = await transcribe(
      caller.key,
      audioForm({ response_format: 'srt' }, Buffer.concat([WAV, randomBytes(4)])),
      headers,
    );
    expect([other.status, errorIn(other.body).code]).toEqual([409, 'idempotency_mismatch']);
  });

  it('of a key for other models, of an exhausted quota and of a suspended account is refused', async () => {
    const caller = await harness.caller();
    const admin = await harness.admin();
    const { body: limited } = await caller.client.post<{ key: string }>('/api/user/keys', {
      name: 'other models',
      models: ['openai/gpt-4o-mini'],
    });
    const restricted = await transcribe(limited.key, audioForm());
    expect([restricted.status, errorIn(restricted.body).code]).toEqual([404, 'model_not_found']);
    await admin.patch(`/api/admin/users/${caller.user.id}`, { quotaOverride: 0 });
    const exhausted = await transcribe(caller.key, audioForm());
    expect([exhausted.status, errorIn(exhausted.body).code]).toEqual([403, 'quota_exceeded']);
    expect(exhausted.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    await admin.patch(`/api/admin/users/${caller.user.id}`, { isSuspended: true });
    const suspended = await failureOf(
      caller.openai.audio.transcriptions.create({ file: await toFile(WAV, 'a.wav'), model: 'whisper-1' }),
    );
    expect(suspended).toMatchObject({ status: 403, code: 'account_suspended' });
  });

  it('that breaks off in its upload leaves no file and no charge (UP-1)', async () => {
    const caller = await harness.caller();
    const headers = {
      authorization: `Bearer ${caller.key}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '100000',
    };
    const call = httpRequest(harness.url + PATH, { method: 'POST', headers });
    const closed = new Promise((resolve) => call.on('error', resolve).on('close', resolve));
    call.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n');
    call.write(WAV);
    await waitUntil('the staged audio file', async () => (await filesOnDisk(harness)).length === 1);
    call.destroy();
    await closed;
    await waitUntil('the removal of the audio file', async () => (await filesOnDisk(harness)).length === 0);
    expect(await harness.usedBy(caller)).toBe(0);
  });
});
