import { randomUUID } from 'node:crypto';
import {
  type GenerationStarted,
  LIMITS,
  type Message,
  type SendMessageResponse,
  type StoredFile,
} from '@tanya/contract';
import { FileIntake } from '../../src/files/file-intake.js';
import { UploadRateLimit } from '../../src/files/upload/upload-rate-limit.js';
import { KeyLookup } from '../../src/api-keys/key-lookup.service.js';
import { errorOf } from '../harness/http-client.js';
import { actors, harness } from './security-harness.js';
import { dataOf, refusalOf, SocketClient } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { PNG, upload } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';

const message = (content: object) => ({
  clientMessageId: randomUUID(),
  threadId: null,
  model: 'openai/gpt-4o-mini',
  content: { text: 'See', ...content },
});

describe('AZ-4: a file of another owner', () => {
  const fields = ['imageData', 'audioData', 'fileUrl'];

  it.each(fields)('cannot be attached as %s, over socket or REST', async (field) => {
    const { body: file } = await upload(actors.owner, PNG, 'a.png', 'image/png');
    const page = await SocketClient.connect(actors.other);
    const before = await harness.fingerprint();
    for (const named of [file.url, file.url.toUpperCase().replace('/API/FILES', '/api/files')]) {
      const send = message({ [field]: named });
      expect(['not_found', 'invalid']).toContain(refusalOf(await page.ask('generation:start', send)).code);
      const answer = await actors.other.post('/api/chat/message', { ...send, content: JSON.stringify(send.content) });
      expect([400, 404]).toContain(answer.status);
    }
    expect(await harness.fingerprint()).toEqual(before);
    await page.close();
  });

  it('cannot be sent to a model by URL with an API key, not even its owner’s', async () => {
    const { body: file } = await upload(actors.owner, PNG, 'a.png', 'image/png');
    for (const url of [file.url, `${harness.url}${file.url}`, file.id]) {
      const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
      expect((await actors.key.post('/api/v1/chat', { messages })).status).toBe(400);
    }
  });

  it('is deleted with its owner’s account', async () => {
    const { client } = await harness.member();
    const { body: file } = await upload(client, 'mine', 'a.txt', 'text/plain');
    expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
    for (const actor of [client, actors.other, actors.guest, actors.admin]) {
      expect(errorOf(await actor.get(file.url)).code).toBe('not_found');
    }
    const answer = await actors.other.post('/api/chat/message', {
      content: JSON.stringify({ text: 'x', fileUrl: file.url }),
    });
    expect(answer.status).toBe(404);
  });

  it('has an unguessable id', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 20; count += 1) ids.add((await upload(actors.premium, 'x', 'a.txt')).body.id);
    expect(ids.size).toBe(20);
    // Version 4: 122 random bits.
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

/** A WAV header without samples. */
const WAV = Buffer.from(
  'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0',
  'latin1',
);

describe('a file whose kind does not fit its field', () => {
  const cases: [string, string, Buffer, string, string][] = [
    ['a document', 'imageData', Buffer.from('a note'), 'a.txt', 'text/plain'],
    ['a document', 'audioData', Buffer.from('a note'), 'a.txt', 'text/plain'],
    ['a recording', 'imageData', WAV, 'a.wav', 'audio/wav'],
    ['a picture', 'audioData', PNG, 'a.png', 'image/png'],
  ];

  it.each(cases)('is refused without a charge: %s as %s', async (_, field, bytes, name, type) => {
    const { body: file } = await upload(actors.owner, bytes, name, type);
    const { threadId, messageId } = await harness.belongings(actors.owner);
    const page = await SocketClient.connect(actors.owner);
    const before = await harness.fingerprint();
    const send = message({ [field]: file.url });
    for (const place of [{}, { threadId }, { threadId, editOf: messageId }]) {
      const refused = refusalOf(await page.ask('generation:start', { ...send, ...place }));
      expect(refused).toMatchObject({ statusCode: 400, details: [{ field: `content.${field}` }] });
      expect(refused.message).toContain(type);
    }
    const dataUrl = `data:${type};base64,${bytes.toString('base64')}`;
    for (const url of [file.url, dataUrl]) {
      const content = JSON.stringify({ text: 'See', [field]: url });
      expect((await actors.owner.post('/api/chat/message', { content })).status).toBe(400);
    }
    expect(await harness.fingerprint()).toEqual(before);
    await page.close();
  });

  it('is accepted as fileUrl', async () => {
    for (const [bytes, name, type] of [
      [WAV, 'a.wav', 'audio/wav'],
      [PNG, 'a.png', 'image/png'],
    ] as const) {
      const { body: file } = await upload(actors.owner, bytes, name, type);
      const content = JSON.stringify({ text: 'See', fileUrl: file.url });
      expect((await actors.owner.post('/api/chat/message', { content })).status).toBe(201);
    }
  });
});

it('a message with a file needs no text, over socket and REST', async () => {
  const page = await SocketClient.connect(actors.owner);
  const [{ body: picture }, { body: recording }] = [
    await upload(actors.owner, PNG, 'a.png', 'image/png'),
    await upload(actors.owner, WAV, 'a.wav', 'audio/wav'),
  ];
  for (const content of [
    { imageData: picture.url },
    { audioData: recording.url, text: null },
    { fileUrl: picture.url },
  ]) {
    const { userMessage, generationId } = dataOf(
      await page.ask<GenerationStarted>('generation:start', { ...message({}), content }),
    );
    await page.ended(generationId);
    const rest = await actors.owner.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify(content),
    });
    expect(rest.status).toBe(201);
    for (const sent of [userMessage, rest.body.userMessage])
      expect(JSON.parse(sent.content)).toMatchObject({ ...content, text: '' });
  }
  await page.close();
});

describe('UP-10: a refused message with a data URL', () => {
  const fileUrl = 'data:text/plain,See';
  const refused: [string, object][] = [
    ['a text above the limit', { text: 'x'.repeat(LIMITS.messageText + 1) }],
    ['an unknown field', { text: 'See', unknown: 1 }],
    ['an attachment that is no upload', { text: 'See', imageData: 'https://a.example/a.png' }],
  ];

  it.each(refused)('stores no file and counts no upload: %s', async (_, fields) => {
    const { client } = await harness.member();
    const store = jest.spyOn(harness.app.get(FileIntake), 'acceptBytes');
    const count = jest.spyOn(harness.app.get(UploadRateLimit), 'consume');
    const answer = await client.post('/api/chat/message', { content: JSON.stringify({ fileUrl, ...fields }) });
    expect(answer.status).toBe(400);
    expect(store).not.toHaveBeenCalled();
    expect(count).not.toHaveBeenCalled();
    store.mockRestore();
    count.mockRestore();
  });

  it('accepts any name, type and size beside the data URL, which storing replaces', async () => {
    const { client } = await harness.member();
    const fields = { fileName: `${'.'.repeat(1_000)}${'x'.repeat(1_000)}.txt`, fileType: 1, fileSize: 'large' };
    const content = JSON.stringify({ text: 'See', fileUrl, ...fields });
    const { status, body } = await client.post<SendMessageResponse>('/api/chat/message', { content });
    expect(status).toBe(201);
    const stored = JSON.parse(body.userMessage.content) as { fileName: string };
    expect(stored.fileName).toMatch(/^\.+txt$/);
    expect(stored.fileName).toHaveLength(LIMITS.fileName.max);
  });
});

it('stores a data URL once for concurrent copies of a request', async () => {
  const { client } = await harness.member();
  const intake = harness.app.get(FileIntake);
  const acceptBytes = intake.acceptBytes.bind(intake);
  const accepted = jest.spyOn(intake, 'acceptBytes').mockImplementation(async (...file) => {
    await waitUntil('both copies', () => accepted.mock.calls.length === 2);
    return acceptBytes(...file);
  });
  const content = JSON.stringify({ text: 'See', fileUrl: 'data:text/plain,See', fileName: 'a.txt' });
  const body = { content, clientMessageId: randomUUID() };
  const answers = await Promise.all([1, 2].map(() => client.post<SendMessageResponse>('/api/chat/message', body)));
  accepted.mockRestore();
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const [first, second] = answers.map((answer) => answer.body.userMessage);
  expect(second).toEqual(first);
  const { fileUrl } = JSON.parse(first!.content) as { fileUrl: StoredFile['url'] };
  expect((await client.get(fileUrl)).text).toBe('See');
  expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
});

describe('AZ-2: a message of another thread', () => {
  it('is refused as the active leaf or edit target, of the same and of another owner', async () => {
    const mine = await harness.belongings(actors.owner);
    const second = await harness.belongings(actors.owner);
    const yours = await harness.belongings(actors.premium);
    const page = await SocketClient.connect(actors.owner);
    const before = await harness.fingerprint();
    for (const foreign of [second, yours]) {
      for (const activeLeafId of [foreign.messageId, foreign.aiMessageId]) {
        const moved = await actors.owner.patch(`/api/chat/threads/${mine.threadId}`, { activeLeafId });
        expect(moved.status).toBe(404);
      }
      const edit = { ...message({}), threadId: mine.threadId, editOf: foreign.messageId };
      expect(refusalOf(await page.ask('generation:start', edit)).code).toBe('not_found');
    }
    expect(refusalOf(await page.tryRegenerate(yours.aiMessageId)).code).toBe('not_found');
    expect(await harness.fingerprint()).toEqual(before);
    await page.close();
  });
});

describe('UP-2: a false name or type', () => {
  const page = '<html><script>alert(1)</script></html>';
  const cases: [string, string | Buffer, string, string][] = [
    ['an HTML page named as an image', page, 'a.PnG', 'image/png'],
    ['an HTML page with two extensions', page, 'a.html.png', 'image/png'],
    ['a program named as text', Buffer.from('MZ\x90\0\x03\0', 'latin1'), 'a.txt', 'text/plain'],
    ['an archive named as a PDF', Buffer.from('PK\x03\x04 no pdf', 'latin1'), 'a.pdf', 'application/pdf'],
    ['a GIF that is a script', 'GIF89a/*<script>*/=1;alert(1)', 'a.gif', 'image/gif'],
    ['an SVG with a script', '<svg onload="alert(1)"/>', 'a.svg', 'image/svg+xml'],
  ];

  it.each(cases)('%s is refused as an upload and within a message', async (_, content, name, type) => {
    const before = await harness.fingerprint();
    expect(errorOf(await upload(actors.owner, content, name, type)).code).toBe('unsupported_type');
    const dataUrl = `data:${type};base64,${Buffer.from(content).toString('base64')}`;
    for (const field of type.startsWith('image/') ? ['imageData', 'fileUrl'] : ['fileUrl']) {
      const sent = JSON.stringify({ text: 'See', [field]: dataUrl, fileName: name });
      expect(errorOf(await actors.owner.post('/api/chat/message', { content: sent })).code).toBe('unsupported_type');
    }
    expect(await harness.fingerprint()).toEqual(before);
  });

  it.each(['a.html.', 'a.html ', 'a.html%00.txt', 'a\0.html', 'a', '.html'])(
    'an HTML page named %j is sent as a download',
    async (name) => {
      const { status, body } = await upload(actors.owner, page, name, '');
      expect([201, 400, 415]).toContain(status);
      if (status !== 201) return;
      expect(body.type).toMatch(/^(application\/octet-stream|text\/plain)$/);
      const { headers } = await actors.owner.get(body.url);
      expect(headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    },
  );
});

describe('UP-1, UP-10: attachments within messages', () => {
  it('are limited like uploads, and deleted with their thread', async () => {
    const { client } = await harness.member();
    const text = (bytes: number) => `data:text/plain;base64,${Buffer.alloc(bytes, 'x').toString('base64')}`;
    const send = (fileUrl: string) =>
      client.post<{ threadId: number; userMessage: Message }>('/api/chat/message', {
        content: JSON.stringify({ text: 'See', fileUrl, fileName: 'a.txt' }),
      });
    expect(errorOf(await send(text(LIMITS.documentBytes + 1))).code).toBe('too_large');
    const { body } = await send(text(100));
    const { fileUrl } = JSON.parse(body.userMessage.content) as { fileUrl: StoredFile['url'] };
    expect((await client.get(fileUrl)).status).toBe(200);
    expect((await client.delete(`/api/chat/threads/${body.threadId}`)).status).toBe(200);
    expect((await client.get(fileUrl)).status).toBe(404);
  });
});

it('KEY-1: a key is 256 random bits and appears in no log, URL or error', async () => {
  const { client } = await harness.member();
  const keys = new Set<string>();
  for (let count = 0; count < 10; count += 1) {
    keys.add((await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body.apiKey);
  }
  expect(keys.size).toBe(10);
  for (const key of keys) expect(Buffer.from(key.slice('tk_'.length), 'base64url')).toHaveLength(32);
  const [revoked = ''] = keys;
  const refused = await harness.client().get('/api/v1/models', { headers: { Authorization: `Bearer ${revoked}` } });
  expect(refused.status).toBe(401);
  expect(refused.text).not.toContain(revoked.slice(3, 12));
  expect(await harness.app.get(KeyLookup).find(revoked)).toBeNull();
});
