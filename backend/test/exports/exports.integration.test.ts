import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DataExport } from '@tanya/contract';
import { fromBufferPromise } from 'yauzl';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { errorOf } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { filesOnDisk, upload } from '../harness/uploads.js';
import { eventually } from '../harness/wait-until.js';
import { addFile, createProject, setMembers } from '../projects/project-harness.js';
import { conversation, exported, exportStatus, sha256, startExport } from './exports-harness.js';

let harness: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

beforeEach(async () => {
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

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

it('has threads with every version, files, usage, preferences and a manifest with hashes', async () => {
  const { threadId, files } = await conversation(member);
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

it('has the usage of all years', async () => {
  const { id } = member.user;
  await harness.dataSource.query(`update "user" set created_at = now() - interval '900 days' where id = $1`, [id]);
  const [{ day }] = await harness.dataSource.query<[{ day: string }]>(
    `insert into usage_rollup (grain, day, owner, model_id, generations)
     values ('full', current_date - 800, 'user:' || $1, 'of/then', 7) returning day::text`,
    [id],
  );
  const lines = (await entriesOf(await exported(member.client))).get('usage.csv')!.toString().split('\r\n');
  await harness.dataSource.query(`delete from usage_rollup where owner = 'user:' || $1`, [id]);
  expect(lines.filter((line) => line.includes('day,username'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('of/then'))).toEqual([expect.stringMatching(`^${day},`)]);
});

it('needs the password, runs once at a time and three times a day, and belongs to its owner', async () => {
  const { client } = member;
  expect(errorOf(await startExport(client, 'not this one')).code).toBe('invalid_credentials');
  // A failed one does not count.
  await harness.dataSource.query(
    `insert into data_export (id, user_id, state, ended_at) values (gen_random_uuid(), $1, 'failed', now())`,
    [member.user.id],
  );
  const running = '11111111-1111-4111-8111-111111111111';
  await harness.dataSource.query('insert into data_export (id, user_id) values ($1, $2)', [running, member.user.id]);
  expect(errorOf(await startExport(client)).code).toBe('conflict');
  expect((await client.get(`/api/user/export/${running}/file`)).status).toBe(404);
  // Its node is dead.
  await harness.dataSource.query(`update data_export set heartbeat_at = now() - interval '1 hour' where id = $1`, [
    running,
  ]);
  expect((await exportStatus(client, running)).state).toBe('failed');
  for (let count = 0; count < 3; count += 1) await exported(client);
  const refused = await startExport(client);
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
  const { files } = await conversation(member);
  const [deleted, unreadable] = files.map(({ url }) => url.slice('/api/files/'.length));
  const pathOf = (id: string) => join(harness.env.dataDir, 'files', id.slice(0, 2), id);
  await rm(pathOf(deleted!));
  const paths = [...(await entriesOf(await exported(member.client))).keys()];
  expect(paths.filter((path) => path.startsWith('files/'))).toEqual([expect.stringContaining(unreadable!)]);
  // A link to itself cannot be opened, like a file of a disk or bucket that is away.
  await rm(pathOf(unreadable!));
  await symlink(pathOf(unreadable!), pathOf(unreadable!));
  const { body } = await startExport(member.client);
  await eventually(async () => expect((await exportStatus(member.client, body.id)).state).toBe('failed'));
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
    const { body } = await startExport(member.client);
    await eventually(async () => expect((await exportStatus(member.client, body.id)).state).toBe('failed'));
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
