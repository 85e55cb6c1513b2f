import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { PASSWORD } from '../harness/test-app.js';
import { filesOnDisk } from '../harness/uploads.js';
import { addFile, createProject, filesRead, PROJECTS, setMembers } from './project-harness.js';

let harness: ChatHarness;
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  harness = await startChatHarness({ redis: false, database, timings: { projectQueue: 200, projectLease: 2_000 } });
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await database.drop();
});

async function withProject(): Promise<{ client: HttpClient; id: number }> {
  const { client } = await harness.member();
  return { client, id: (await createProject(client)).id };
}

describe('files of a project, while it changes', () => {
  it.each([
    ['was removed', 'delete from project_member where project_id = $1', 404],
    ['may only view now', `update project_member set role = 'viewer' where project_id = $1`, 403],
    ['found the project deleted', 'delete from project where id = $1', 404],
  ])('are not added by who %s during the upload', async (_kind, change, status) => {
    const { client, id } = await withProject();
    const before = await filesOnDisk(harness);
    await withConnection(database, async (other) => {
      await other.query('begin');
      await other.query('select from project where id = $1 for update', [id]);
      const adding = addFile(client, id, 'Too late.', 'late.txt');
      await waitForLockWait(database);
      await other.query(change, [id]);
      await other.query('commit');
      expect((await adding).status).toBe(status);
    });
    expect(await filesOnDisk(harness)).toEqual(before);
  });

  it('are deleted while their text is stored, which waits for the deletion', async () => {
    const { client, id } = await withProject();
    const { body: file } = await addFile(client, id, 'The harbour opens at six.', 'hours.txt');
    await filesRead(client, id);
    await withConnection(database, async (other) => {
      await other.query('begin');
      await other.query('select from file where id = $1 for update', [file.id]);
      const again = `update project_file set state = 'reading', attempts = 0, due_at = now() where file_id = $1`;
      await harness.dataSource.query(again, [file.id]);
      await waitForLockWait(database);
      await other.query('select from project_file where file_id = $1 for update nowait', [file.id]);
      await other.query('delete from file where id = $1', [file.id]);
      await other.query('commit');
    });
    expect((await client.get(`${PROJECTS}/${id}/files/${file.id}`)).status).toBe(404);
  });
});

describe('projects, while their members change', () => {
  it('keep an owner: who becomes it at this moment cannot leave', async () => {
    const { client, id } = await withProject();
    const heir = await harness.member();
    await setMembers(client, id, { [heir.user.username]: 'editor' });
    await withConnection(database, async (other) => {
      await other.query('begin');
      await other.query('select from project where id = $1 for update', [id]);
      const leaving = heir.client.delete(`${PROJECTS}/${id}/members/${heir.user.id}`);
      await waitForLockWait(database);
      await other.query(`delete from project_member where project_id = $1 and role = 'owner'`, [id]);
      await other.query(`update project_member set role = 'owner' where project_id = $1`, [id]);
      await other.query('commit');
      expect((await leaving).status).toBe(403);
    });
    expect((await heir.client.get(`${PROJECTS}/${id}`)).status).toBe(200);
  });

  it.each([
    ['has begun', 'an editor who stays', true],
    ['has begun', 'nobody', false],
    ['begins at this moment', 'an editor who stays', true],
    ['begins at this moment', 'nobody', false],
  ])('pass an heir over whose own deletion %s, and go to %s', async (moment, _whom, hasOther) => {
    const owner = await harness.member();
    const { id } = await createProject(owner.client);
    const heir = await harness.member();
    const other = await harness.member();
    await setMembers(owner.client, id, { [heir.username]: 'editor' });
    const next = hasOther ? 'editor' : 'viewer';
    await setMembers(owner.client, id, { [heir.username]: 'editor', [other.username]: next });
    const deleteOwner = () => owner.client.delete('/api/user', { password: PASSWORD });
    const mark = `update "user" set password_hash = '', is_suspended = true where id = $1`;
    await withConnection(database, async (deletion) => {
      await deletion.query('begin');
      await deletion.query(mark, [heir.user.id]);
      if (moment === 'has begun') await deletion.query('commit');
      const deleting = deleteOwner();
      if (moment !== 'has begun') {
        await waitForLockWait(database);
        await deletion.query('commit');
      }
      expect((await deleting).status).toBe(200);
    });
    const found = await other.client.get<{ role: string }>(`${PROJECTS}/${id}`);
    expect([found.status, found.body.role]).toEqual(hasOther ? [200, 'owner'] : [404, undefined]);
    const projects = await harness.dataSource.query<unknown[]>('select from project where id = $1', [id]);
    expect(projects).toHaveLength(hasOther ? 1 : 0);
  });
});
