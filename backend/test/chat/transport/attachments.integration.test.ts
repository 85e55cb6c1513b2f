import { randomUUID } from 'node:crypto';
import { LIMITS, type Message, type MessageContent, parseContent, type SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { refusalOf } from '../../harness/socket-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { fileRowCount, PNG, upload, WAV } from '../../harness/uploads.js';
import { eventually } from '../../harness/wait-until.js';

interface Part {
  type: string;
  text?: string;
}

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { threadSweep: 100 } });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const image = async (client: HttpClient, name: string) => (await upload(client, PNG, name, 'image/png')).body;

const document = async (client: HttpClient, name: string) =>
  (await upload(client, `text of ${name}`, name, 'text/plain')).body;

/** Two images and two documents. */
const fourFiles = async (client: HttpClient) => [
  await document(client, 'one.txt'),
  await image(client, 'two.png'),
  await image(client, 'three.png'),
  await document(client, 'four.md'),
];

const refsOf = (files: { id: string }[]) => files.map(({ id: fileId }) => ({ fileId }));

/** Content of the last user message that the provider received. */
const lastPrompt = (): { text: string; images: number } => {
  const { messages } = harness.upstream.callsOf().at(-1)!.body as {
    messages: { role: string; content: string | Part[] }[];
  };
  const { content } = messages.findLast(({ role }) => role === 'user')!;
  if (typeof content === 'string') return { text: content, images: 0 };
  return {
    text: content.map(({ text }) => text ?? '').join(''),
    images: content.filter(({ type }) => type === 'image_url').length,
  };
};

const storedIn = (message: Message): MessageContent => parseContent(message.content);

describe('the attachments of a send', () => {
  it('over the socket are stored with their properties, and the older fields have the first of each kind', async () => {
    const { client, page } = await harness.memberPage();
    const files = await fourFiles(client);
    const { userMessage, generationId } = await page.start('', {
      content: { text: 'compare', attachments: refsOf(files) },
    });
    const [one, two] = files;
    expect(storedIn(userMessage)).toEqual({
      text: 'compare',
      attachments: files.map(({ id: fileId, url, name, type, size }) => ({ fileId, url, name, type, size })),
      imageData: two!.url,
      fileUrl: one!.url,
      fileName: 'one.txt',
      fileType: 'text/plain',
      fileSize: one!.size,
    });
    await page.ended(generationId);
    const { text, images } = lastPrompt();
    expect(images).toBe(2);
    expect(text).toContain('text of one.txt');
    expect(text).toContain('text of four.md');
  });

  it('over REST are stored and sent to the model alike, without a text too', async () => {
    const { client } = await harness.member();
    const files = [await image(client, 'a.png'), await document(client, 'b.txt')];
    const { status, body } = await client.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify({ attachments: refsOf(files) }),
    });
    expect(status).toBe(201);
    expect(storedIn(body.userMessage)).toMatchObject({
      text: '',
      attachments: [{ name: 'a.png' }, { name: 'b.txt' }],
      imageData: files[0]!.url,
      fileUrl: files[1]!.url,
    });
    expect(lastPrompt()).toMatchObject({ images: 1, text: expect.stringContaining('text of b.txt') as string });
    const [thread] = (await client.get<{ title: string }[]>('/api/chat/threads')).body;
    expect(thread?.title).toBe('b.txt');
  });

  it('in the older fields keep their shape', async () => {
    const { client, page } = await harness.memberPage();
    const [picture, text] = [await image(client, 'a.png'), await document(client, 'b.txt')];
    const content = {
      text: 'see',
      imageData: picture.url,
      fileUrl: text.url,
      fileName: 'b.txt',
      fileType: 'text/plain',
    };
    const { userMessage } = await page.start('', { content });
    expect(storedIn(userMessage)).toEqual(content);
  });

  it('are joined with files of the older fields, each file once', async () => {
    const { client, page } = await harness.memberPage();
    const [one, two] = [await image(client, 'a.png'), await image(client, 'b.png')];
    const content = { text: 'see', attachments: refsOf([one, one]), imageData: two.url };
    const { userMessage } = await page.start('', { content });
    const stored = storedIn(userMessage);
    expect(stored.attachments?.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
    expect(stored.imageData).toBe(one.url);
  });

  it('are joined with the data URLs of a REST client', async () => {
    const { client } = await harness.member();
    const attached = await document(client, 'a.txt');
    const imageData = `data:image/png;base64,${PNG.toString('base64')}`;
    const { body } = await client.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify({ text: 'see', attachments: refsOf([attached]), imageData }),
    });
    expect(storedIn(body.userMessage).attachments?.map(({ type }) => type)).toEqual(['text/plain', 'image/png']);
  });

  it('can be sent again as they are stored, and keep the properties of their files', async () => {
    const { client, page } = await harness.memberPage();
    const sound = (await upload(client, WAV, 'a.wav', 'audio/wav')).body;
    const files = [...(await fourFiles(client)), sound];
    const attachments = refsOf(files);
    const first = await page.start('', { content: { text: '```js\nf()\n```', attachments } });
    await page.ended(first.generationId);
    const stored = storedIn(first.userMessage);
    expect(stored).toMatchObject({
      hasCode: true,
      audioData: sound.url,
      attachments: [{ name: 'one.txt' }, {}, {}, {}, {}],
    });
    const again = await page.start('', { content: stored });
    await page.ended(again.generationId);
    expect(storedIn(again.userMessage)).toEqual(stored);
    const rest = { content: first.userMessage.content };
    const { body } = await client.post<SendMessageResponse>('/api/chat/message', rest);
    expect(storedIn(body.userMessage)).toEqual(stored);
    const forged = stored.attachments!.map(({ fileId }) => ({
      fileId,
      url: 'https://example.org',
      name: 7,
      size: null,
    }));
    const other = await page.start('', { content: { text: 'see', attachments: forged } });
    await page.ended(other.generationId);
    expect(storedIn(other.userMessage).attachments).toEqual(stored.attachments);
  });

  it('count as parts of the idempotent send', async () => {
    const { client, page } = await harness.memberPage();
    const [one, two] = [await image(client, 'a.png'), await image(client, 'b.png')];
    const clientMessageId = randomUUID();
    const send = (files: { id: string }[]) =>
      page.tryStart('', { clientMessageId, content: { text: 'see', attachments: refsOf(files) } });
    const first = await send([one]);
    expect(await send([one])).toMatchObject({ ok: true, data: { duplicate: true } });
    expect(refusalOf(await send([one, two])).code).toBe('idempotency_mismatch');
    if (first.ok) await page.ended(first.data.generationId);
  });

  it('are refused when there are too many, and when they are malformed (LIM-1)', async () => {
    const { client, page } = await harness.memberPage();
    const files = [];
    for (let count = 0; count <= LIMITS.attachments; count += 1) files.push(await document(client, `${count}.txt`));
    const refs = refsOf(files);
    const code = async (attachments: unknown, more: object = {}) =>
      refusalOf(await page.tryStart('', { content: { text: 'x', attachments, ...more } as never })).code;
    expect(await code(refs)).toBe('invalid');
    expect(await code(refs.slice(1), { fileUrl: files[0]!.url })).toBe('invalid');
    for (const malformed of ['x', {}, [null], [[]], ['x'], [{}], [{ fileId: 1 }], [{ fileId: '../x' }]]) {
      expect(await code(malformed)).toBe('invalid');
    }
    expect(await code([{ ...refs[0], owner: 'user:1' }])).toBe('invalid');
    const rest = await client.post('/api/chat/message', { content: JSON.stringify({ attachments: refs }) });
    expect(errorOf(rest)).toMatchObject({ code: 'invalid', statusCode: 400 });
    expect((await page.tryStart('', { content: { text: '', attachments: refs.slice(1) } })).ok).toBe(true);
  });

  it('of another owner or without a file are not found, and store nothing (AZ-4)', async () => {
    const { client, page } = await harness.memberPage();
    const own = await image(client, 'a.png');
    const foreign = await image((await harness.member()).client, 'b.png');
    for (const other of [foreign.id, randomUUID()]) {
      const attachments = [{ fileId: own.id }, { fileId: other }];
      expect(refusalOf(await page.tryStart('', { content: { text: 'x', attachments } })).code).toBe('not_found');
      const rest = await client.post('/api/chat/message', { content: JSON.stringify({ text: 'x', attachments }) });
      expect(errorOf(rest).code).toBe('not_found');
    }
    expect((await client.get<unknown[]>('/api/chat/threads')).body).toEqual([]);
  });
});

describe('a thread with attachments', () => {
  it('gives all of them to the model again for another answer, and takes those of an edit', async () => {
    const { client, page } = await harness.memberPage();
    const files = await fourFiles(client);
    const { threadId, userMessage, aiMessage, generationId } = await page.start('', {
      content: { text: 'compare', attachments: refsOf(files) },
    });
    await page.ended(generationId);
    const again = await page.tryRegenerate(aiMessage.id);
    if (again.ok) await page.ended(again.data.generationId);
    expect(lastPrompt()).toMatchObject({ images: 2, text: expect.stringContaining('text of four.md') as string });
    const edited = await page.start('', {
      threadId,
      editOf: userMessage.id,
      content: { text: 'compare fewer', attachments: refsOf(files.slice(1)) },
    });
    expect(storedIn(edited.userMessage)).toMatchObject({ fileName: 'four.md' });
    expect(storedIn(edited.userMessage).attachments).toHaveLength(3);
    await page.ended(edited.generationId);
    expect(lastPrompt().text).not.toContain('text of one.txt');
    const next = await page.start('and now?', { threadId });
    await page.ended(next.generationId);
    const sent = JSON.stringify(harness.upstream.callsOf().at(-1)!.body);
    expect(sent.split('"image_url"').length - 1).toBeGreaterThanOrEqual(2);
    expect(sent).toContain('text of four.md');
  });

  it('is found by the names of all its files, and names them in its exports', async () => {
    const { client, page } = await harness.memberPage();
    const files = await fourFiles(client);
    const { threadId } = await page.start('', { content: { text: 'compare', attachments: refsOf(files) } });
    for (const { name } of files) {
      const found = await client.get<{ id: number }[]>(`/api/chat/threads?query=${name}`);
      expect(found.body.map(({ id }) => id)).toEqual([threadId]);
    }
    const { text } = await client.get(`/api/chat/threads/${threadId}/export?format=md`);
    for (const { name } of files) expect(text).toContain(name);
    const { text: account } = await client.get('/api/user/export');
    for (const { id } of files) expect(account.split(id).length).toBeGreaterThan(2);
  });

  it('comes back from the trash with all its files, and is deleted with them (UP-10)', async () => {
    const { client, page } = await harness.memberPage();
    const before = await fileRowCount(harness);
    const files = await fourFiles(client);
    const { threadId, generationId } = await page.start('', { content: { text: 'x', attachments: refsOf(files) } });
    await page.ended(generationId);
    const path = `/api/chat/threads/${threadId}`;
    expect((await client.delete(path)).status).toBe(200);
    for (const { url } of files) expect((await client.get(url)).status).toBe(404);
    expect((await client.post(`${path}/restore`)).status).toBe(200);
    for (const { url } of files) expect((await client.get(url)).status).toBe(200);
    await client.delete(path);
    await harness.dataSource.query('update thread set expires_at = now() where id = $1', [threadId]);
    await eventually(async () => expect(await fileRowCount(harness)).toBe(before));
  });

  it('moves with all its files when its guest signs in', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    const files = await fourFiles(guest);
    const { threadId, generationId } = await page.start('', { content: { text: 'x', attachments: refsOf(files) } });
    await page.ended(generationId);
    const { client, username } = await harness.member();
    expect((await guest.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    for (const { url } of files) expect((await client.get(url)).status).toBe(200);
    const messages = await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
    expect(storedIn(messages.body[0]!).attachments).toHaveLength(4);
  });
});
