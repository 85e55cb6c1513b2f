import { createHash } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DataExport, DataExportStarted, ImportStarted, ImportStatus, Message, Thread } from '@tanya/contract';
import { fromBufferPromise } from 'yauzl';
import sharp from 'sharp';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { download, filesOnDisk, upload } from '../harness/uploads.js';
import { addFile, createProject, setMembers } from '../projects/project-harness.js';
import { eventually } from '../harness/wait-until.js';

let harness: ChatHarness;
/** Another installation. */
let second: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  second = await startChatHarness({ redis: false, sharedUpstream: harness.upstream });
});

beforeEach(async () => {
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  await second.close();
  await harness.close();
});

const start = (client: HttpClient, password = PASSWORD) =>
  client.post<DataExportStarted>('/api/user/export', { password });

const status = async (client: HttpClient, id: string) => (await client.get<DataExport>(`/api/user/export/${id}`)).body;

/** Exports everything of the member. @returns the archive */
async function exported(client: HttpClient): Promise<Buffer> {
  const { body, status: code } = await start(client);
  expect(code).toBe(202);
  await eventually(async () => expect((await status(client, body.id)).state).toBe('done'));
  const file = await download(client, `/api/user/export/${body.id}/file`);
  expect(file.headers.get('content-type')).toBe('application/zip');
  expect((await status(client, body.id)).bytes).toBe(file.bytes.length);
  return file.bytes;
}

/** The entries of an archive by their paths. */
async function entriesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { autoClose: false });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const stream: Readable = await zip.openReadStreamPromise(entry);
    entries.set(entry.fileName, await buffer(stream));
  }
  return entries;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A chat with two versions of an answer, a picture and a document. */
async function conversation(): Promise<{ threadId: number; files: { url: string; bytes: Buffer }[] }> {
  const { client, page } = member;
  const raw = { width: 40, height: 30, channels: 3, background: '#a06040' } as const;
  const photo = await sharp({ create: raw })
    .withExif({ IFD0: { Copyright: 'Sari' } })
    .jpeg()
    .toBuffer();
  const { body: picture } = await upload(client, photo, 'harbour.jpg', 'image/jpeg');
  const { body: text } = await upload(client, 'Notes of a harbour', 'notes.md', 'text/markdown');
  const attachments = [picture, text].map(({ id }) => ({ fileId: id }));
  const first = await page.start('What is this?', { content: { text: 'What is this?', attachments } });
  await page.ended(first.generationId);
  const again = await page.tryRegenerate(first.aiMessage.id);
  if (!again.ok) throw new Error('not regenerated');
  await page.ended(again.data.generationId);
  const { threadId } = first;
  await client.patch(`/api/chat/threads/${threadId}`, { title: 'The “old” harbour', isPinned: true });
  await client.patch(`/api/chat/threads/${threadId}`, { activeLeafId: first.aiMessage.id });
  const files = [];
  for (const { url } of [picture, text]) files.push({ url, bytes: (await download(client, url)).bytes });
  return { threadId, files };
}

/** What a chat has in any installation. */
async function portrait(client: HttpClient, threadId: number) {
  const { body: thread } = await client.get<Thread>(`/api/chat/threads/${threadId}`);
  const { body: messages } = await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
  const { title, isPinned, isArchived, createdAt, updatedAt } = thread;
  const shown = [];
  for (const { content, createdAt: at, isUserMessage, siblingIds, id } of messages) {
    const stored = JSON.parse(content.startsWith('{') ? content : JSON.stringify({ text: content })) as {
      text: string;
      attachments?: { url: string; name: string; type: string; size: number }[];
    };
    const files = [];
    for (const { url, name, type, size } of stored.attachments ?? [])
      files.push({ name, type, size, hash: sha256((await download(client, url)).bytes) });
    shown.push({ text: stored.text, at, isUserMessage, version: siblingIds.indexOf(id), of: siblingIds.length, files });
  }
  return { title, isPinned, isArchived, createdAt, updatedAt, shown };
}

it('has threads with every version, files, usage, preferences and a manifest with hashes', async () => {
  const { threadId, files } = await conversation();
  const temporary = await member.page.start('secret', { temporary: true });
  await member.page.ended(temporary.generationId);
  await member.client.patch('/api/user/preferences', { aboutMe: 'I sail.' });
  const entries = await entriesOf(await exported(member.client));
  const paths = [...entries.keys()];
  expect(paths.filter((path) => path.startsWith('threads/'))).toEqual([
    `threads/${threadId}.json`,
    `threads/${threadId}.md`,
  ]);
  const thread = JSON.parse(entries.get(`threads/${threadId}.json`)!.toString()) as { messages: unknown[] };
  expect(thread.messages).toHaveLength(3);
  expect(entries.get(`threads/${threadId}.md`)!.toString()).toContain('# The “old” harbour');
  expect(paths.filter((path) => path.startsWith('files/'))).toHaveLength(2);
  for (const { url, bytes } of files) {
    const [path] = paths.filter((each) => each.includes(url.slice('/api/files/'.length)));
    expect(entries.get(path!)).toEqual(bytes);
  }
  expect(entries.get('usage.csv')!.toString()).toContain(member.username);
  expect(entries.get('preferences.json')!.toString()).toContain('I sail.');
  const manifest = JSON.parse(entries.get('manifest.json')!.toString()) as {
    schema: number;
    counts: object;
    entries: { path: string; bytes: number; sha256: string }[];
  };
  expect(manifest).toMatchObject({ schema: 1, counts: { threads: 1, messages: 3, files: 2 } });
  expect(manifest.entries.map(({ path }) => path)).toEqual(paths.filter((path) => path !== 'manifest.json'));
  for (const { path, bytes, sha256: hash } of manifest.entries)
    expect([path, bytes, hash]).toEqual([path, entries.get(path)!.length, sha256(entries.get(path)!)]);
});

it('gives the same chats in another installation', async () => {
  const { threadId } = await conversation();
  const archive = await exported(member.client);
  const there = await second.member();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'tanya-export.zip');
  const { body: run } = await there.client.send<ImportStarted>('POST', '/api/user/import', { raw: form });
  await eventually(async () => {
    const { body } = await there.client.get<ImportStatus>(`/api/user/import/${run.id}`);
    expect(body).toMatchObject({ state: 'done', source: 'tanya', imported: 1, failures: [] });
  });
  const { body: threads } = await there.client.get<Thread[]>('/api/chat/threads');
  expect(await portrait(there.client, threads[0]!.id)).toEqual(await portrait(member.client, threadId));
});

it('needs the password, runs once at a time and three times a day, and belongs to its owner', async () => {
  const { client } = member;
  expect(errorOf(await start(client, 'not this one')).code).toBe('invalid_credentials');
  // A failed one does not count.
  await harness.dataSource.query(
    `insert into data_export (id, user_id, state, ended_at) values (gen_random_uuid(), $1, 'failed', now())`,
    [member.user.id],
  );
  const running = '11111111-1111-4111-8111-111111111111';
  await harness.dataSource.query('insert into data_export (id, user_id) values ($1, $2)', [running, member.user.id]);
  expect(errorOf(await start(client)).code).toBe('conflict');
  expect((await client.get(`/api/user/export/${running}/file`)).status).toBe(404);
  // Its node is dead.
  await harness.dataSource.query(`update data_export set heartbeat_at = now() - interval '1 hour' where id = $1`, [
    running,
  ]);
  expect((await status(client, running)).state).toBe('failed');
  for (let count = 0; count < 3; count += 1) await exported(client);
  const refused = await start(client);
  expect(errorOf(refused).code).toBe('rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60 * 60);
  const { body: own } = await client.get<DataExport[]>('/api/user/exports');
  expect(own.filter(({ state }) => state === 'done')).toHaveLength(3);
  const stranger = await harness.member();
  for (const path of ['', '/file'])
    expect((await stranger.client.get(`/api/user/export/${own[0]!.id}${path}`)).status).toBe(404);
  // After a day.
  await harness.dataSource.query(
    `update data_export set created_at = now() - interval '25 hours', ended_at = now() - interval '25 hours'
    where id = $1`,
    [own[0]!.id],
  );
  expect((await client.get(`/api/user/export/${own[0]!.id}/file`)).status).toBe(404);
});

it('fails when the contents of a file cannot be read, and leaves out one that was deleted', async () => {
  const { files } = await conversation();
  const [deleted, unreadable] = files.map(({ url }) => url.slice('/api/files/'.length));
  const pathOf = (id: string) => join(harness.env.dataDir, 'files', id.slice(0, 2), id);
  await rm(pathOf(deleted!));
  const paths = [...(await entriesOf(await exported(member.client))).keys()];
  expect(paths.filter((path) => path.startsWith('files/'))).toEqual([expect.stringContaining(unreadable!)]);
  // A link to itself cannot be opened, like a file of a disk or bucket that is away.
  await rm(pathOf(unreadable!));
  await symlink(pathOf(unreadable!), pathOf(unreadable!));
  const { body } = await start(member.client);
  await eventually(async () => expect((await status(member.client, body.id)).state).toBe('failed'));
  await rm(pathOf(unreadable!));
});

it('is deleted with its account', async () => {
  const { client } = member;
  await exported(client);
  const { body } = await client.get<DataExport[]>('/api/user/exports');
  expect(await filesOnDisk(harness)).toContain(body[0]!.id);
  expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
  await eventually(async () => expect(await filesOnDisk(harness)).not.toContain(body[0]!.id));
});

it('leaves nothing on the disk when it fails', async () => {
  const before = await filesOnDisk(harness);
  const { body: file } = await upload(member.client, 'words', 'a.txt', 'text/plain');
  const { generationId } = await member.page.start('', {
    content: { text: 'read', attachments: [{ fileId: file.id }] },
  });
  await member.page.ended(generationId);
  await harness.dataSource.query(`alter table usage_rollup rename to usage_away`);
  try {
    const { body } = await start(member.client);
    await eventually(async () => expect((await status(member.client, body.id)).state).toBe('failed'));
  } finally {
    await harness.dataSource.query('alter table usage_away rename to usage_rollup');
  }
  await eventually(async () =>
    expect((await filesOnDisk(harness)).toSorted()).toEqual([...before, file.id].toSorted()),
  );
});

it('has the own projects with their files, and nothing of projects of others', async () => {
  const { client } = member;
  const other = await harness.member();
  const foreign = await createProject(other.client, { instructions: 'Theirs.' });
  await setMembers(other.client, foreign.id, { [member.user.username]: 'editor' });
  const { id } = await createProject(client, { instructions: 'Be brief.' });
  const { body: file } = await addFile(client, id, 'The harbour opens at six.', 'hours.md', 'text/markdown');
  const entries = await entriesOf(await exported(client));
  expect(entries.get(`projects/${id}/${file.id}.md`)!.toString()).toBe('The harbour opens at six.');
  const { projects } = JSON.parse(entries.get('preferences.json')!.toString()) as { projects: object[] };
  expect(projects).toMatchObject([{ id, instructions: 'Be brief.', files: [{ id: file.id, name: 'hours.md' }] }]);
  expect([...entries.keys()].filter((path) => path.startsWith('projects/'))).toHaveLength(1);
});
