import { randomUUID } from 'node:crypto';
import { type ImportStatus, type Message, parseContent, type Thread } from '@tanya/contract';
import { ThreadsService } from '../../src/chat/threads/threads.service.js';
import { Staging } from '../../src/files/upload/staging.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { errorOf } from '../harness/http-client.js';
import { download, fileRowCount, filesOnDisk } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';
import { CHATGPT_FILES, chatGpt, libreChat, openWebUi } from './export-fixtures.js';
import { importFile, importJson, messagesOf, reportOf, threadsOf, zipOf } from './imports-harness.js';
import { member, server, upstream } from './imports-server.js';

const shape = (messages: Message[]) =>
  messages.map(({ isUserMessage, content }) => [isUserMessage, parseContent(content).text]);

describe('an import from ChatGPT', () => {
  it('brings conversations with branches, times, models, reasoning and files', async () => {
    const client = await member();
    const archive = await zipOf({
      ...CHATGPT_FILES,
      'chat.html': '<script>alert(1)</script>',
      'user.json': '{"email":"a@b.example"}',
      'conversations.json': JSON.stringify([chatGpt({ id: 'c-1', title: ' Harbours\nand <b>piers</b> ' })]),
    });
    const status = await importFile(client, archive);
    expect(status).toMatchObject({ state: 'done', source: 'chatgpt', total: 1, imported: 1, skipped: 0, failures: [] });
    expect(status.progress).toBe(1);
    expect(await reportOf(client, status.id)).toEqual([
      {
        title: 'Harbours and <b>piers</b>',
        outcome: 'imported',
        reason: null,
        remark: null,
        threadId: expect.any(Number) as number,
      },
    ]);
    const [thread] = (await threadsOf(client)) as [Thread];
    expect(thread).toMatchObject({
      title: 'Harbours and <b>piers</b>',
      createdAt: '2023-11-14T22:13:20.500Z',
      updatedAt: '2023-11-14T22:14:20.000Z',
    });
    const [question, answer] = (await messagesOf(client, thread.id)) as [Message, Message];
    expect(question).toMatchObject({ isUserMessage: true, createdAt: '2023-11-14T22:13:50.250Z' });
    expect(answer.siblingIds).toHaveLength(2);
    expect(answer).toMatchObject({ modelId: 'gpt-4o', status: 'complete', reasoning: '**Plan**\n\nThink of ships.' });
    const content = parseContent(answer.content);
    expect(content.text).toContain('A harbour is a place for ships.');
    const image = answer.parts?.find((part) => part.type === 'image');
    expect(answer.parts?.map(({ type }) => type)).toEqual(['reasoning', 'text', 'image']);
    for (const url of [parseContent(question.content).imageData, image?.url]) {
      const file = await download(client, url!);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
    const document = await download(client, parseContent(question.content).fileUrl!);
    expect(document.bytes.toString()).toBe('Notes about a pier');
    expect(parseContent(question.content).attachments?.map(({ name }) => name)).toEqual(['pier.png', 'notes.txt']);
  });

  it('goes on with an answer, finds its words and charges nothing for the import', async () => {
    const client = await member();
    await importJson(client, [chatGpt({ id: 'c-2', title: 'x' })]);
    const [thread] = (await client.get<Thread[]>('/api/chat/threads?query=harbour')).body as [Thread];
    expect((await client.get<{ used: number }>('/api/user/quota')).body.used).toBe(0);
    const calls = upstream.callsOf().length;
    const sent = await client.post('/api/chat/message', { content: 'go on', threadId: thread.id });
    expect(sent.status).toBe(201);
    expect(JSON.stringify(upstream.callsOf()[calls]?.body)).toContain('a place for ships');
    expect((await client.get<{ used: number }>('/api/user/quota')).body.used).toBe(1);
  });

  it('reports files that are missing in the archive', async () => {
    const client = await member();
    const status = await importFile(
      client,
      await zipOf({ 'conversations.json': JSON.stringify([chatGpt({ id: 'c-3', title: 'Without files' })]) }),
    );
    expect(status.imported).toBe(1);
    const [row] = await reportOf(client, status.id);
    expect(row).toMatchObject({ title: 'Without files', outcome: 'imported' });
    expect(row?.reason).toContain('3 files were left out');
    expect(row?.remark).toEqual({ code: 'files_left_out', params: { count: 3 } });
  });

  it('reads the numbered parts of a large export', async () => {
    const client = await member();
    const part = (at: number) => JSON.stringify([chatGpt({ id: `part-${at}`, title: `Part ${at}` })]);
    const status = await importFile(
      client,
      await zipOf({ 'export/conversations-000.json': part(0), 'export/conversations-001.json': part(1) }),
    );
    expect(status).toMatchObject({ state: 'done', imported: 2 });
    expect((await reportOf(client, status.id)).map(({ title }) => title)).toEqual(['Part 0', 'Part 1']);
  });
});

describe('an import from other programs', () => {
  it('brings chats of Open WebUI with pictures inside the export', async () => {
    const client = await member();
    const status = await importJson(client, [openWebUi({ id: 'w-1', title: 'Ports' })]);
    expect(status).toMatchObject({ state: 'done', source: 'open-webui', imported: 1 });
    const [thread] = (await threadsOf(client)) as [Thread];
    const [question, answer] = (await messagesOf(client, thread.id)) as [Message, Message];
    expect((await download(client, parseContent(question.content).imageData!)).status).toBe(200);
    expect(answer).toMatchObject({ content: 'Rotterdam.', reasoning: 'The largest in Europe.', modelId: 'llama3:8b' });
    expect(answer.siblingIds).toHaveLength(2);
  });

  it('keeps chats pinned and archived, and names one that it cannot read', async () => {
    const client = await member();
    const status = await importJson(client, [
      { ...openWebUi({ id: 'w-2', title: 'Pinned' }), pinned: true },
      { title: 'Unknown', turns: [] },
      { ...openWebUi({ id: 'w-3', title: 'Both' }), pinned: true, archived: true },
    ]);
    expect(await reportOf(client, status.id)).toMatchObject([
      { title: 'Pinned', outcome: 'imported' },
      { title: 'Unknown', outcome: 'failed' },
      { title: 'Both', outcome: 'imported' },
    ]);
    expect(await threadsOf(client)).toMatchObject([{ title: 'Pinned', isPinned: true, isArchived: false }]);
    const archived = (await client.get<Thread[]>('/api/chat/threads?state=archived')).body;
    expect(archived).toMatchObject([{ title: 'Both', isArchived: true }]);
    await client.patch(`/api/chat/threads/${archived[0]!.id}`, { isArchived: false });
    expect((await threadsOf(client)).map(({ title, isPinned }) => [title, isPinned])).toContainEqual(['Both', true]);
  });

  it.each([true, false])('brings a conversation of LibreChat, nested: %s', async (isNested) => {
    const client = await member();
    const status = await importJson(client, libreChat({ id: 'l-1', title: 'Ships' }, isNested));
    expect(status).toMatchObject({ state: 'done', source: 'librechat', imported: 1 });
    const [thread] = (await threadsOf(client)) as [Thread];
    const messages = await messagesOf(client, thread.id);
    expect(shape(messages)).toEqual([
      [true, 'What is this?'],
      [false, 'A ship.'],
    ]);
    expect(messages[1]?.siblingIds).toHaveLength(2);
  });

  it('brings an archive with a file for each conversation', async () => {
    const client = await member();
    const entries = Object.fromEntries(
      ['a', 'b'].map((id) => [`${id}.json`, JSON.stringify(libreChat({ id, title: id }, true))]),
    );
    expect(await importFile(client, await zipOf(entries))).toMatchObject({ state: 'done', imported: 2 });
  });

  it('brings an export of an account above the bound of one element, with its pictures left out', async () => {
    const client = await member();
    const threads = [1, 2].map((id) => ({ id, title: `Thread ${id}`, activeLeafId: null }));
    const text = 'x'.repeat(1024 * 1024);
    const messages = threads.flatMap(({ id: threadId }) =>
      Array.from({ length: 20 }, (_, at) => ({
        id: threadId * 100 + at,
        threadId,
        parentId: at === 0 ? null : threadId * 100 + at - 1,
        content: at % 2 === 0 ? `Question ${at}` : '{"text":"","imageUrl":"/api/files/1","type":"image_generation"}',
        isUserMessage: at % 2 === 0,
        createdAt: '2026-01-01T00:00:00.000Z',
        parts:
          at % 2 === 0
            ? []
            : [
                { type: 'image', url: '/api/files/1' },
                { type: 'text', text: text + text },
              ],
      })),
    );
    const status = await importJson(client, { account: {}, threads, messages });
    expect(status).toMatchObject({ state: 'done', source: 'tanya', imported: 2, total: 2, error: null });
    expect((await reportOf(client, status.id)).map(({ title, remark }) => [title, remark])).toEqual(
      threads.map(({ title }) => [title, { code: 'files_left_out', params: { count: 10 } }]),
    );
    const [thread] = (await threadsOf(client)) as [Thread];
    const answers = (await messagesOf(client, thread.id)).filter(({ isUserMessage }) => !isUserMessage);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 'complete'));
    expect(answers).toHaveLength(10);
  });

  it('brings every file of an archive of this product, each once, beside large texts', async () => {
    const client = await member();
    const ids = Array.from({ length: 205 }, () => randomUUID());
    const at = '2026-01-01T00:00:00.000Z';
    const question = (id: number, parentId: number | null, fileIds: string[]) => {
      const attachments = fileIds.map((fileId) => ({ url: `/api/files/${fileId}`, name: 'a.txt', type: 'text/plain' }));
      const content = JSON.stringify({ text: 'read', attachments });
      return { id, threadId: 1, parentId, content, isUserMessage: true, createdAt: at, parts: [] };
    };
    const answer = (id: number) => ({
      ...{ id, threadId: 1, parentId: id - 1, content: 'Fine.', isUserMessage: false, createdAt: at },
      parts: [],
    });
    const messages: object[] = [];
    for (let first = 0; first < ids.length; first += 10) {
      const id = messages.length + 1;
      messages.push(question(id, id === 1 ? null : id - 1, ids.slice(first, first + 10)), answer(id + 1));
    }
    messages.push(question(1_000, null, ids.slice(0, 10)), answer(1_001));
    const thread = { id: 1, title: 'Files', activeLeafId: 42 };
    const status = await importFile(
      client,
      await zipOf({
        'preferences.json': JSON.stringify({ usage: Array.from({ length: 66 }, () => 'x'.repeat(1024 * 1024)) }),
        'threads/1.json': JSON.stringify({ threads: [thread], messages }),
        ...Object.fromEntries(ids.map((id, number) => [`files/${id}.txt`, `note ${number}`])),
      }),
    );
    expect(await reportOf(client, status.id)).toMatchObject([{ outcome: 'imported', remark: null }]);
    const { files } = (await client.get<{ files: { id: string }[] }>('/api/user/export')).body;
    expect(files).toHaveLength(205);
    const [imported] = (await threadsOf(client)) as [Thread];
    const path = await messagesOf(client, imported.id);
    const filesOf = ({ content }: Message) => parseContent(content).attachments!.map(({ fileId }) => fileId);
    expect(new Set(path.filter(({ isUserMessage }) => isUserMessage).flatMap(filesOf))).toEqual(
      new Set(files.map(({ id }) => id)),
    );
  });

  it('brings the exports of this product, of a thread and of an account', async () => {
    const client = await member();
    const { body } = await client.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    const exported = await client.get(`/api/chat/threads/${body.threadId}/export?format=json`);
    const account = await client.get('/api/user/export');
    for (const { text } of [exported, account]) {
      const other = await member();
      expect(await importFile(other, text)).toMatchObject({ state: 'done', source: 'tanya', imported: 1 });
      const [thread] = (await threadsOf(other)) as [Thread];
      expect(shape(await messagesOf(other, thread.id))[0]).toEqual([true, 'Hello']);
    }
  });
});

describe('a repeated import', () => {
  it('skips existing conversations, and imports deleted threads again', async () => {
    const client = await member();
    const all = ['1', '2', '3'].map((id) => openWebUi({ id, title: `Chat ${id}` }));
    expect(await importJson(client, all.slice(0, 2))).toMatchObject({ total: 2, imported: 2, skipped: 0 });
    expect(await importJson(client, all)).toMatchObject({ total: 3, imported: 1, skipped: 2 });
    const threads = await threadsOf(client);
    expect(threads).toHaveLength(3);
    const deleted = threads[0]!.id;
    await client.delete(`/api/chat/threads/${deleted}`);
    expect(await importJson(client, all)).toMatchObject({ total: 3, imported: 1, skipped: 2 });
    expect(await threadsOf(client)).toHaveLength(3);
    // The copy of the trash is an own thread when it is restored, and stays so.
    expect((await client.post(`/api/chat/threads/${deleted}/restore`)).status).toBe(200);
    expect(await importJson(client, all)).toMatchObject({ imported: 0, skipped: 3 });
    expect(await threadsOf(client)).toHaveLength(4);
  });

  it('recognizes chats without ids by their contents, and a chat that is listed twice', async () => {
    const client = await member();
    const { id: _id, ...chat } = openWebUi({ id: '', title: 'No id' });
    expect(await importJson(client, [chat, chat])).toMatchObject({ imported: 1, skipped: 1 });
    expect(await importJson(client, [chat])).toMatchObject({ imported: 0, skipped: 1 });
  });

  it('belongs to its account: another one imports the same file (AZ-1)', async () => {
    const file = [openWebUi({ id: 'both', title: 'Both' })];
    for (const client of [await member(), await member()]) {
      expect(await importJson(client, file)).toMatchObject({ imported: 1 });
    }
  });
});

it('ends, and the server goes on, when its staged file cannot be removed', async () => {
  const client = await member();
  const staging = server.app.get(Staging);
  const remove = staging.remove.bind(staging);
  const removal = jest.spyOn(staging, 'remove').mockImplementationOnce(async (path) => {
    await remove(path);
    throw new Error('EIO');
  });
  const status = await importJson(client, [libreChat({ id: 'kept', title: 'Kept' }, false)]);
  expect(status).toMatchObject({ state: 'done', imported: 1 });
  await waitUntil('the removal', () => removal.mock.results.length > 0);
  // Without a handler, the rejection ends the process in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  removal.mockRestore();
  expect(await threadsOf(client)).toHaveLength(1);
});

describe('the undo of an import', () => {
  it('deletes its threads and files, and nothing else', async () => {
    const client = await member();
    const before = await fileRowCount(server);
    await importJson(client, [openWebUi({ id: 'kept', title: 'Kept' })]);
    const status = await importJson(client, [openWebUi({ id: 'x', title: 'X' }), openWebUi({ id: 'y', title: 'Y' })]);
    // A staged file may still be on the disk.
    const rows = await server.dataSource.query<{ id: string }[]>('select id from file');
    const stored = async () => (await filesOnDisk(server)).filter((name) => rows.some(({ id }) => id === name));
    const contents = await stored();
    const [latest] = (await threadsOf(client)) as [Thread];
    await client.post('/api/chat/message', { content: 'continued', threadId: latest.id });
    expect((await client.delete(`/api/user/import/${status.id}`)).status).toBe(200);
    expect((await threadsOf(client)).map(({ title }) => title)).toEqual(['Kept']);
    expect((await client.get(`/api/user/import/${status.id}`)).status).toBe(404);
    expect((await client.delete(`/api/user/import/${status.id}`)).status).toBe(404);
    expect(await fileRowCount(server)).toBe(before + 1);
    expect(await stored()).toHaveLength(contents.length - 2);
    expect((await client.get<ImportStatus[]>('/api/user/import')).body).toHaveLength(1);
    expect(await importJson(client, [openWebUi({ id: 'x', title: 'X' })])).toMatchObject({ imported: 1 });
  });

  it('deletes the other threads when one is busy, and ends with the next attempt', async () => {
    const client = await member();
    const count = 120;
    const chats = Array.from({ length: count }, (_, at) => libreChat({ id: `b${at}`, title: `B${at}` }, false));
    const { id } = await importJson(client, chats);
    const threads = server.app.get(ThreadsService);
    const deleteMany = threads.deleteMany.bind(threads);
    const deletion = jest.spyOn(threads, 'deleteMany').mockImplementationOnce(async (owner, ids) => {
      await deleteMany(owner, ids.slice(1));
      throw new AppError('thread_busy');
    });
    expect(errorOf(await client.delete(`/api/user/import/${id}`)).code).toBe('thread_busy');
    deletion.mockRestore();
    expect(await threadsOf(client)).toHaveLength(1);
    expect((await client.delete(`/api/user/import/${id}`)).status).toBe(200);
    expect(await threadsOf(client)).toEqual([]);
  });

  it('is refused to other accounts (AZ-1)', async () => {
    const [client, other] = [await member(), await member()];
    const status = await importJson(client, [openWebUi({ id: 'z', title: 'Z' })]);
    for (const path of ['', '/conversations']) {
      expect((await other.get(`/api/user/import/${status.id}${path}`)).status).toBe(404);
    }
    expect((await other.delete(`/api/user/import/${status.id}`)).status).toBe(404);
    expect(await threadsOf(client)).toHaveLength(1);
  });
});
