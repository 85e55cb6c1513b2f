import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS, type OutgoingMessage, parseContent, type SendMessageResponse, type StoredFile } from '@tanya/contract';
import { fileTypeFromBuffer } from 'file-type';
import { PromptSource } from '../../src/chat/generation/prompt/prompt-source.js';
import { noticeText } from '../../src/chat/generation/end/generation-end.js';
import { AttachedFiles } from '../../src/files/attached-files.js';
import { FileRemoval } from '../../src/files/file-removal.js';
import { DataUrlFiles } from '../../src/files/data-url-files.js';
import { ModelFiles } from '../../src/files/model-files.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { type HttpClient } from '../harness/http-client.js';
import { download, fileRowCount, filesOnDisk, PNG, pngOf, upload } from '../harness/uploads.js';

let server: ChatHarness;
let guest: HttpClient;

beforeAll(async () => {
  server = await startChatHarness({ redis: false });
});

beforeEach(async () => {
  guest = await server.guest();
});

afterAll(() => server.close());

const folder = () => join(server.env.dataDir, 'files');

describe('a stored file', () => {
  const removal = () => server.app.get(FileRemoval);
  const modelFiles = () => server.app.get(ModelFiles);
  const ownerOf = async (id: string) =>
    (await server.dataSource.query<[{ owner: `guest:${string}` }]>('select owner from file where id = $1', [id]))[0]
      .owner;

  const attach = (owner: `guest:${string}`, attached: Partial<OutgoingMessage>, threadId: number) =>
    server.dataSource.transaction((manager) =>
      server.app.get(AttachedFiles).attach(manager, owner, attached, threadId),
    );

  it('is deleted with its thread, contents included (UP-10)', async () => {
    const { body: kept } = await upload(guest, 'kept', 'a.txt');
    const { body: gone } = await upload(guest, PNG, 'b.png', 'image/png');
    const owner = await ownerOf(gone.id);
    await attach(owner, { imageData: gone.url, fileUrl: gone.url }, 4711);
    await removal().deleteOfThread(4711, owner);
    expect((await guest.get(gone.url)).status).toBe(404);
    expect(await filesOnDisk(server)).not.toContain(gone.id);
    expect((await guest.get(kept.url)).status).toBe(200);
  });

  it('is deleted with the last of the threads that use it', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    const owner = await ownerOf(body.id);
    await attach(owner, { fileUrl: body.url }, 1);
    await attach(owner, { fileUrl: body.url }, 2);
    await attach(owner, { fileUrl: body.url }, 2);
    const [row] = await server.dataSource.query('select thread_id, also_in from file where id = $1', [body.id]);
    expect(row).toEqual({ thread_id: 1, also_in: [2] });
    await removal().deleteOfThread(1, owner);
    expect((await guest.get(body.url)).status).toBe(200);
    await removal().deleteOfThread(2, owner);
    expect((await guest.get(body.url)).status).toBe(404);
    expect(await filesOnDisk(server)).not.toContain(body.id);
  });

  it('is deleted with its first thread when the other one was deleted before', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    const owner = await ownerOf(body.id);
    await attach(owner, { fileUrl: body.url }, 8);
    await attach(owner, { fileUrl: body.url }, 9);
    await removal().deleteOfThread(9, owner);
    expect((await guest.get(body.url)).status).toBe(200);
    await removal().deleteOfThread(8, owner);
    expect(await filesOnDisk(server)).not.toContain(body.id);
  });

  it('cannot be attached by another owner (AZ-4)', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    await expect(attach('guest:somebody-else', { fileUrl: body.url }, 3)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('moves with a guest to the account, and is deleted with the account', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    const { client, username } = await server.member();
    expect((await client.get(body.url)).status).toBe(404);
    const login = await guest.post('/api/login', { username, password: 'a quiet harbour at dawn' });
    expect(login.status).toBe(200);
    expect((await client.get(body.url)).status).toBe(200);
    expect((await client.delete('/api/user', { password: 'a quiet harbour at dawn' })).status).toBeLessThan(300);
    expect(await filesOnDisk(server)).not.toContain(body.id);
  });

  it('is read for models as a data URL or as text', async () => {
    const { body: image } = await upload(guest, PNG, 'a.png', 'image/png');
    const { body: text } = await upload(guest, 'baris satu', 'a.md', 'text/markdown');
    const { body: code } = await upload(guest, '{"a": 1}', 'a.json', 'application/json');
    const { body: program } = await upload(guest, Buffer.from('MZ\x90\0', 'latin1'), 'a.exe');
    const owner = await ownerOf(image.id);
    const model = (file: StoredFile) => modelFiles().read(owner, file.url);
    const { bytes } = await download(guest, image.url);
    expect(await model(image)).toEqual({ kind: 'image', dataUrl: `data:image/png;base64,${bytes.toString('base64')}` });
    expect(await model(text)).toEqual({ kind: 'document', name: 'a.md', pieces: ['baris satu'], textless: 0 });
    expect(await model(code)).toEqual({ kind: 'document', name: 'a.json', pieces: ['{"a": 1}'], textless: 0 });
    expect(program.notice).toEqual(expect.any(String));
    expect(await model(program)).toMatchObject({ name: 'a.exe', pieces: [`(${program.notice})`] });
    expect(await modelFiles().read('guest:somebody-else', image.url)).toBeNull();
    expect(await modelFiles().read(owner, 'http://127.0.0.1/x.png')).toBeNull();
  });

  describe('of a long conversation', () => {
    let images: StoredFile[];

    beforeAll(async () => {
      const sender = await server.guest();
      const image = await pngOf(LIMITS.imageBytes);
      const uploads = Array.from({ length: 6 }, () => upload(sender, image, 'a.png', 'image/png'));
      images = (await Promise.all(uploads)).map(({ body }) => body);
    });

    /** Builds the prompt of the last of six messages with one image each. */
    const promptOf = async (contextLength: number) => {
      const owner = await ownerOf(images[0]!.id);
      const run = (sql: string, parameters: unknown[]) => server.dataSource.query<[{ id: number }]>(sql, parameters);
      const [thread] = await run(`insert into thread (owner, title) values ($1, 'x') returning id`, [owner]);
      let last = { id: 0, parentId: null as number | null, content: '', isUserMessage: true };
      for (const { url } of images) {
        const content = JSON.stringify({ text: 'lihat', imageData: url });
        const [message] = await run(
          'insert into message (thread_id, parent_id, content, is_user_message) values ($1, $2, $3, true) returning id',
          [thread.id, last.id || null, content],
        );
        last = { ...last, id: message.id, parentId: last.id || null, content };
      }
      const prompt = await server.app.get(PromptSource).load(owner, last, {
        modelId: 'scripted/small',
        contextLength,
        takesImages: false,
        modelPrompt: null,
        projectId: null,
        instructions: null,
        shrink: false,
      });
      const pictures = prompt.messages
        .filter(({ role }) => role === 'user')
        .map(({ content }) =>
          typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length,
        );
      return { pictures, notice: noticeText(prompt.notices) };
    };

    it('is read newest first up to the memory limit, with a notice', async () => {
      expect(await promptOf(1_000_000)).toEqual({
        pictures: [0, 1, 1, 1, 1, 1],
        notice: 'Earlier attachments were left out.',
      });
    });

    it('is not read when its message exceeds the context', async () => {
      expect(await promptOf(4_000)).toEqual({
        pictures: [1, 1],
        notice: '4 earlier messages were left out to fit the model.',
      });
    });
  });

  it('of a data URL is reused by retries of a send, and not by another send', async () => {
    const { body } = await upload(guest, PNG, 'a.png', 'image/png');
    const owner = await ownerOf(body.id);
    const identity = {
      owner,
      userId: null,
      isPremium: false,
      isAdmin: false,
      groupIds: [],
      quotaOverride: null,
      address: guest.address,
    };
    const content = {
      text: 'lihat',
      imageData: `data:image/png;base64,${PNG.toString('base64')}`,
      fileUrl: `data:text/plain;base64,${Buffer.from('isi').toString('base64')}`,
      fileName: 'isi.txt',
    };
    const storedBy = (seed: string) =>
      server.app.get(DataUrlFiles).withStoredDataUrls(identity, content, { seed }, async (stored) => stored);
    const first = await storedBy('send-1');
    expect(first).toMatchObject({
      text: 'lihat',
      imageData: expect.stringMatching(/^\/api\/files\//),
      fileName: 'isi.txt',
      fileType: 'text/plain',
    });
    expect(await storedBy('send-1')).toEqual(first);
    expect((await storedBy('send-2')).imageData).not.toBe(first.imageData);
    const id = first.imageData.slice('/api/files/'.length);
    expect(await fileTypeFromBuffer(await readFile(join(folder(), id.slice(0, 2), id)))).toMatchObject({
      mime: 'image/png',
    });
  });

  it.each([
    [undefined, 'Attachment', 'Attachment.txt'],
    ['', 'Attachment', 'Attachment.txt'],
    ['catatan', 'catatan', 'catatan.txt'],
    ['C:\\isi.txt', 'isi.txt', 'isi.txt'],
  ])('of a data URL with the name %j is shown as %s and downloaded as %s', async (fileName, shown, saved) => {
    const { client } = await server.member();
    const fileUrl = `data:text/plain;base64,${Buffer.from('isi').toString('base64')}`;
    const { body } = await client.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify({ text: 'baca', fileUrl, fileName }),
    });
    const sent = parseContent(body.userMessage.content);
    expect(sent).toMatchObject({ fileName: shown, fileType: 'text/plain', fileSize: 3 });
    const { headers } = await client.get(sent.fileUrl!);
    expect(headers.get('content-disposition')).toContain(`filename="${saved}"`);
  });

  it('of a data URL is deleted when its message is refused', async () => {
    const before = [await fileRowCount(server), (await filesOnDisk(server)).length];
    const { client } = await server.member();
    const image = `data:image/png;base64,${PNG.toString('base64')}`;
    const send = (content: object, fields: object = {}) =>
      client.post('/api/chat/message', { content: JSON.stringify({ text: 'lihat', ...content }), ...fields });
    const statuses = [
      await send({ imageData: image }, { model: 'no/such' }),
      await send({ imageData: image }, { threadId: 999_999 }),
      await send({ imageData: image, text: 'x'.repeat(LIMITS.messageText + 1) }),
      await send({ imageData: image, audioData: 'data:nonsense' }),
      await send({ imageData: 'data:image/png;base64,AAAA' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 404, 400, 400, 415]);
    expect([await fileRowCount(server), (await filesOnDisk(server)).length]).toEqual(before);
  });
});
