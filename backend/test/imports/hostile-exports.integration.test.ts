import { writeFile } from 'node:fs/promises';
import { type Message, parseContent, type Thread } from '@tanya/contract';
import { ExportReader } from '../../src/imports/export-reader.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import type { HttpClient } from '../harness/http-client.js';
import { fileRowCount, filesOnDisk } from '../harness/uploads.js';
import { eventually } from '../harness/wait-until.js';
import { CHATGPT_FILES, chatGpt, openWebUi } from './export-fixtures.js';
import { importFile, importJson, messagesOf, reportOf, threadsOf, zipOf } from './imports-harness.js';

let server: TestApp;
let client: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
});

beforeEach(async () => {
  client = (await server.member()).client;
});

afterEach(async () => {
  // Neither staged files nor files without a thread stay behind.
  const [{ count }] = await server.dataSource.query<[{ count: number }]>(
    'select count(*) from file where thread_id is null and project_id is null',
  );
  expect(count).toBe(0);
  // The staged file is removed after the end of the import is stored.
  await eventually(async () => expect((await filesOnDisk(server)).length).toBe(await fileRowCount(server)));
});

afterAll(() => server.close());

const good = (id: string) => openWebUi({ id, title: id });

/** Replaces bytes of an archive's names, whose lengths stay. */
function renamed(archive: Buffer, from: string, to: string): Buffer {
  expect(to.length).toBe(from.length);
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
}

describe('a damaged or foreign file', () => {
  it.each([
    ['is empty', ''],
    ['is no JSON', 'hello'],
    ['is HTML', '<html></html>'],
    ['ends early', '[{"chat":{"history":{"messages":{'],
    ['is a list without conversations', '[1,null,{"a":1}]'],
    ['is an object of another kind', '{"a":1}'],
    ['begins like an archive', 'PK\u0003\u0004 and no more'],
    ['is a list of half a surrogate', '[{"chat":{"history":{"messages":"\\ud800"}}}'],
    ['is binary', Buffer.from([0xff, 0xfe, 0, 1, 2])],
  ])('fails when it %s (IMP-1)', async (_name, content) => {
    const status = await importFile(client, content);
    expect(status).toMatchObject({ state: 'failed', source: null, total: 0, imported: 0 });
    expect(status.error).toEqual(expect.any(String));
  });

  it('keeps the conversations before the damage (IMP-1)', async () => {
    const text = JSON.stringify([good('a'), good('b')]);
    const status = await importFile(client, text.slice(0, -40));
    expect(status).toMatchObject({ state: 'failed', imported: 1 });
    expect(status.error).toContain('damaged');
    expect(await threadsOf(client)).toHaveLength(1);
    expect(await importFile(client, text)).toMatchObject({ state: 'done', imported: 1, skipped: 1 });
  });

  it('fails for a damaged entry of an archive, after what was readable (IMP-1)', async () => {
    const archive = await zipOf({ 'conversations.json': JSON.stringify([chatGpt({ id: 'x', title: 'x' })]) });
    archive.fill(0xff, 200, 300);
    expect(await importFile(client, archive)).toMatchObject({ state: 'failed' });
  });
});

it('leaves out a damaged picture of an archive and imports its conversation (IMP-1)', async () => {
  const picture = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251));
  const archive = await zipOf({
    ...CHATGPT_FILES,
    'file-Pier1-pier.png': picture,
    'conversations.json': JSON.stringify([chatGpt({ id: 'x', title: 'x' })]),
  });
  // The contents of the first entry begin behind its header.
  archive.fill(0xff, 100, 140);
  const status = await importFile(client, archive);
  expect(status).toMatchObject({ state: 'done', imported: 1 });
  expect((await reportOf(client, status.id))[0]?.reason).toContain('1 file was left out');
});

it('reads the other texts of an archive when one is broken, and leaves out hidden files (IMP-1)', async () => {
  const archive = await zipOf({
    '__MACOSX/chats/._a.json': Buffer.from([0, 5, 22, 7]),
    'chats/._a.json': Buffer.from([0, 5, 22, 7]),
    'chats/.trash.json': '{}',
    'chats/a.json': JSON.stringify(good('a')),
    'chats/b.json': 'no JSON',
    'chats/c.json': JSON.stringify(good('c')),
  });
  const status = await importFile(client, archive);
  expect(status).toMatchObject({ state: 'done', imported: 2, total: 3 });
  expect((await reportOf(client, status.id)).map(({ title, remark }) => [title, remark?.code ?? null])).toEqual([
    ['a', 'files_left_out'],
    ['chats/b.json', 'file_broken'],
    ['c', 'files_left_out'],
  ]);
});

it('fails for an archive of broken texts alone (IMP-1)', async () => {
  const archive = await zipOf({ 'chats/a.json': 'no JSON', 'chats/b.json': '[{"chat":' });
  expect(await importFile(client, archive)).toMatchObject({
    state: 'failed',
    imported: 0,
    errorRemark: { code: 'file_broken' },
  });
});

it('fails as a failure of the server when a file cannot be written', async () => {
  const archive = await zipOf({
    ...CHATGPT_FILES,
    'conversations.json': JSON.stringify([chatGpt({ id: 'x', title: 'x' })]),
  });
  const { open } = ExportReader;
  const opening = jest.spyOn(ExportReader, 'open').mockImplementationOnce(async (...args) => {
    const reader = await open.call(ExportReader, ...args);
    await writeFile(reader.filePath, 'of somebody else');
    return reader;
  });
  const status = await importFile(client, archive);
  opening.mockRestore();
  expect(status).toMatchObject({ state: 'failed', imported: 0, errorRemark: { code: 'server_failed' } });
});

describe('a bomb', () => {
  it('that inflates far beyond its size is stopped (IMP-2)', async () => {
    const text = Buffer.concat([Buffer.from('["'), Buffer.alloc(80 * 1024 * 1024, 'x')]);
    const archive = await zipOf({ 'conversations.json': text });
    expect(archive.length).toBeLessThan(200_000);
    const status = await importFile(client, archive);
    expect(status).toMatchObject({ state: 'failed', error: 'The file is too large to be read.' });
  });

  it('of nested lists leaves out the element and goes on (IMP-2)', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const status = await importFile(client, `[${JSON.stringify(good('a'))},${deep},${JSON.stringify(good('b'))}]`);
    expect(status).toMatchObject({ state: 'done', imported: 2 });
    expect(status.failures).toEqual([{ title: '', reason: 'The conversation is too large.' }]);
  });

  it('of one huge conversation leaves it out and goes on (IMP-2)', async () => {
    const huge = good('huge');
    huge.chat.history.messages.a1.content = 'x'.repeat(34 * 1024 * 1024);
    const status = await importJson(client, [good('a'), huge, good('b')]);
    expect(status).toMatchObject({ state: 'done', imported: 2, total: 3 });
    expect(status.failures.map(({ reason }) => reason)).toEqual(['The conversation is too large.']);
  });

  it('of one huge conversation alone is reported as too large (IMP-2)', async () => {
    const huge = good('huge');
    huge.chat.history.messages.a1.content = 'x'.repeat(34 * 1024 * 1024);
    const status = await importJson(client, huge);
    expect(status).toMatchObject({ state: 'done', errorRemark: null, imported: 0, total: 1 });
    expect(status.failures.map(({ reason }) => reason)).toEqual(['The conversation is too large.']);
  });

  it.each([
    [150_001n, 'file_too_many'],
    [150_000n, 'file_broken'],
  ])('that announces %s entries fails with %s (IMP-2)', async (count, code) => {
    const archive = await zipOf({ 'conversations.json': '[]' }, true);
    // The two counts in the end record of the directory.
    const end = archive.indexOf(Buffer.from('PK\x06\x06', 'latin1'));
    for (const offset of [24, 32]) archive.writeBigUInt64LE(count, end + offset);
    expect(await importFile(client, archive)).toMatchObject({ state: 'failed', total: 0, errorRemark: { code } });
  });

  it('of versions of one conversation is left out (IMP-2)', async () => {
    const wide = good('wide');
    const answer = wide.chat.history.messages.a1;
    const messages: Record<string, object> = { ...wide.chat.history.messages };
    for (let at = 0; at < 20_000; at += 1) messages[`v${at}`] = { ...answer, id: `v${at}` };
    const chat = { ...wide.chat, history: { currentId: 'a1', messages } };
    expect(await importJson(client, [{ ...wide, chat }])).toMatchObject({
      imported: 0,
      failures: [{ title: 'wide', reason: 'The conversation is too large.' }],
    });
  });
});

describe('hostile contents', () => {
  it('with paths outside of the archive read and write no file (IMP-3)', async () => {
    const entries = { ...CHATGPT_FILES, 'conversations.json': JSON.stringify([chatGpt({ id: 'x', title: 'x' })]) };
    const archive = await zipOf(entries);
    for (const to of ['../../ab-n.txt', '/etc/passwd.xx', 'C:\\windows.xxx']) {
      const status = await importFile(client, renamed(archive, 'file_00ab-note', to.padEnd(14, 'x').slice(0, 14)));
      expect(['done', 'failed']).toContain(status.state);
    }
  });

  it('with files of another type leave them out (IMP-3)', async () => {
    const entries = {
      'file-Pier1-pier.png': '<html><script>alert(1)</script></html>',
      'file_00ab-notes.txt': Buffer.from('MZ\x90\0', 'latin1'),
      'conversations.json': JSON.stringify([chatGpt({ id: 'x', title: 'x' })]),
    };
    const status = await importFile(client, await zipOf(entries));
    expect(status.imported).toBe(1);
    expect((await reportOf(client, status.id))[0]?.reason).toContain('3 files were left out');
  });

  it('with hostile texts are stored as text (IMP-3)', async () => {
    const hostile = good('hostile');
    hostile.title = '\u0000\u202e<img src=x onerror=alert(1)>\ud800'.repeat(40);
    const { q, a2 } = hostile.chat.history.messages;
    q.content = '{"text":"x","imageUrl":"/api/files/1","type":"image_generation"}\u0000\udc00';
    a2.content = '\'; drop table "user"; --';
    const status = await importJson(client, [hostile]);
    expect(status).toMatchObject({ state: 'done', imported: 1 });
    const [thread] = (await threadsOf(client)) as [Thread];
    expect(thread.title.length).toBeLessThanOrEqual(200);
    const [question, answer] = (await messagesOf(client, thread.id)) as [Message, Message];
    expect(parseContent(question.content).text).toContain('"imageUrl":"/api/files/1"');
    expect(parseContent(question.content).imageUrl).toBeUndefined();
    expect(answer.content).toBe(a2.content);
  });

  it('with impossible times and models keep a valid time (IMP-3)', async () => {
    const strange = good('strange');
    Object.assign(strange, { created_at: 1e300, updated_at: 4_102_444_800 });
    Object.assign(strange.chat.history.messages.a2, { timestamp: -5, model: 'm'.repeat(5000) });
    expect(await importJson(client, [strange])).toMatchObject({ imported: 1 });
    const [thread] = (await threadsOf(client)) as [Thread];
    expect(Date.parse(thread.updatedAt)).toBeLessThanOrEqual(Date.now());
    expect((await messagesOf(client, thread.id))[1]?.modelId).toHaveLength(200);
  });
});
