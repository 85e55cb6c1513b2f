import { setTimeout } from 'node:timers/promises';
import { ProjectFileStore } from '../../src/projects/project-file-store.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { waitUntil } from '../harness/wait-until.js';
import { addFile, createProject, filesRead, searchIn } from './project-harness.js';

let harness: ChatHarness;
let database: TestDatabase;
let client: HttpClient;

const start = (wordsRenewal: number) =>
  startChatHarness({ redis: false, database, timings: { projectQueue: 200, wordsRenewal } });

beforeAll(async () => {
  database = await createDatabase();
  harness = await start(60_000);
  ({ client } = await harness.member());
});

afterAll(async () => {
  await harness.close();
  await database.drop();
});

async function withFiles(...texts: string[]): Promise<number> {
  const { id } = await createProject(client);
  for (const [at, text] of texts.entries()) await addFile(client, id, text, `${at}.txt`);
  await filesRead(client, id);
  return id;
}

/** A project whose files have the words of the first version, in which each chunk had that of its project. */
async function outdated(...texts: string[]): Promise<number> {
  const id = await withFiles(...texts);
  await harness.dataSource.query(
    `update project_chunk set codes = '', search = array_to_tsvector(array['#' || project_id, 'old']) where project_id = $1`,
    [id],
  );
  await harness.dataSource.query('update project_file set words_version = 0 where project_id = $1', [id]);
  return id;
}

const outdatedOf = (id: number) => harness.app.get(ProjectFileStore).outdatedOf(id);

describe('files that an earlier version has read', () => {
  it('are found by the first search that would find nothing', async () => {
    const id = await outdated('客户可以在三十天内申请退款。', 'The harbour opens at six.');
    const other = await outdated('The ferry leaves at noon.');
    expect((await searchIn(client, id, '退款')).map(({ name }) => name)).toEqual(['0.txt']);
    expect(await outdatedOf(id)).toEqual([]);
    expect(await outdatedOf(other)).toHaveLength(1);
  });

  it('are found by a search while another node renews them, which it waits for', async () => {
    const id = await outdated('The harbour opens at six.');
    const [file] = await filesRead(client, id);
    await withConnection(database, async (other) => {
      await other.query('begin');
      await other.query('select from project_chunk where file_id = $1 for update', [file!.id]);
      const renewing = harness.app.get(ProjectFileStore).renewWords(file!.id);
      await waitForLockWait(database);
      const searching = searchIn(client, id, 'harbour');
      // A search that does not wait ends meanwhile.
      await Promise.race([searching, setTimeout(500)]);
      await other.query('commit');
      await renewing;
      expect(await searching).toHaveLength(1);
    });
  });

  it('are renewed while their vectors are stored', async () => {
    const id = await outdated('The harbour opens at six.');
    const [file] = await filesRead(client, id);
    await harness.dataSource.transaction(async (manager) => {
      // The lock of a row that refers to the file.
      await manager.query('select from project_file where file_id = $1 for key share', [file!.id]);
      await harness.app.get(ProjectFileStore).renewWords(file!.id);
    });
    expect(await outdatedOf(id)).toEqual([]);
  });

  it('are renewed from the start on, although one of them fails, which is tried again', async () => {
    const id = await outdated('The harbour opens at six.', 'It closes at ten.', 'Dogs are welcome.');
    const newer = await outdated('The ferry leaves at noon.');
    await harness.dataSource.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
    await harness.dataSource.query(`create trigger refuse before update on project_chunk for each row
      when (old.text like 'It closes%') execute function refuse()`);
    await harness.close();
    harness = await start(300);
    ({ client } = await harness.member());
    await waitUntil('the renewal of the others', async () => (await outdatedOf(id)).length === 1);
    expect(await outdatedOf(newer)).toEqual([]);
    await harness.dataSource.query('drop trigger refuse on project_chunk');
    await waitUntil('the renewal of the last one', async () => (await outdatedOf(id)).length === 0);
  });

  it('are renewed first where one searches, although other files of the project are found', async () => {
    const id = await withFiles('The harbour opens at six.', 'The harbour closes at ten.');
    const newest = await withFiles('The ferry leaves at noon.');
    const [file] = await filesRead(client, id);
    const [ferry] = await filesRead(client, newest);
    const age = (fileId: string) =>
      harness.dataSource.query('update project_file set words_version = 0 where file_id = $1', [fileId]);
    await withConnection(database, async (other) => {
      await other.query('begin');
      await other.query('select from project_chunk where file_id = $1 for update', [ferry!.id]);
      await age(ferry!.id);
      await waitForLockWait(database);
      await age(file!.id);
      expect(await outdatedOf(id)).toEqual([file!.id]);
      expect(await searchIn(client, id, 'harbour')).toHaveLength(2);
      await waitUntil('the renewal of the searched project', async () => (await outdatedOf(id)).length === 0);
      expect(await outdatedOf(newest)).toHaveLength(1);
      await other.query('commit');
    });
    await waitUntil('the renewal of the newest project', async () => (await outdatedOf(newest)).length === 0);
  });
});
