import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportStatus } from '@tanya/contract';
import { FilesService } from '../../src/files/files.service.js';
import { ImportRunner } from '../../src/imports/import-runner.js';
import { ImportSweep } from '../../src/imports/import-sweep.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { RESOURCES, type Resources } from '../../src/platform/platform.module.js';
import { createDatabase } from '../harness/postgres.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import { openWebUi } from './export-fixtures.js';
import { importJson, statusOf, threadsOf, upload } from './imports-harness.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(() => server.close());

/** Conversations of an import that is interrupted after its first ones. */
const COUNT = 300;

/** Chats without files, which are stored quickly. */
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const chat = openWebUi({ id: `m${at}`, title: `M${at}` });
    chat.chat.history.messages.q.files = [];
    return chat;
  });

/** A running import of a node that died `seconds` ago. */
async function deadImport(userId: number, seconds: number): Promise<string> {
  const id = randomUUID();
  await server.dataSource.query(
    `insert into import (id, user_id, node_id, heartbeat_at) values ($1, $2, gen_random_uuid(), now() - $3 * interval '1 s')`,
    [id, userId, seconds],
  );
  return id;
}

/** Starts an import of a node whose file never opens. @returns the path of its file */
async function startBlockedImport(node: TestApp): Promise<string> {
  const path = join(tmpdir(), `tanya-import-${randomUUID()}`);
  execFileSync('mkfifo', [path]);
  const { nodeId } = node.app.get<Resources>(RESOURCES);
  const id = randomUUID();
  const [{ user_id }] = await node.dataSource.query<[{ user_id: number }]>(
    `with member as (insert into "user" (username, username_key, password_hash) values ($1, $1, 'none') returning id)
     insert into import (id, user_id, node_id) select $1::text::uuid, id, $2::uuid from member returning user_id`,
    [id, nodeId],
  );
  node.app.get(ImportRunner).start({ id, userId: user_id, nodeId }, path);
  return path;
}

describe('the import of a dead node', () => {
  it('fails after its last heartbeat and does not block the next one', async () => {
    const { client, user } = await server.member();
    const recent = await deadImport(user.id, 1);
    expect((await statusOf(client, recent)).state).toBe('running');
    expect((await upload(client, '[]')).status).toBe(409);
    await server.dataSource.query(`update import set heartbeat_at = now() - interval '1 hour' where id = $1`, [recent]);
    const status = await statusOf(client, recent);
    expect(status).toMatchObject({ state: 'failed' });
    expect(status.error).toContain('Import the file again');
    expect(await importJson(client, [openWebUi({ id: 'a', title: 'A' })])).toMatchObject({
      state: 'done',
      imported: 1,
    });
  });

  it('fails in the sweep, without a call of its account', async () => {
    const { user } = await server.member();
    const id = await deadImport(user.id, 3600);
    await server.app.get(ImportSweep).sweep();
    expect(await server.dataSource.query('select state from import where id = $1', [id])).toEqual([
      { state: 'failed' },
    ]);
  });

  it('is undone to its end by another node', async () => {
    const { client } = await server.member();
    const { id } = await importJson(client, [
      openWebUi({ id: 'u1', title: 'U1' }),
      openWebUi({ id: 'u2', title: 'U2' }),
    ]);
    await server.dataSource.query(`update import set state = 'undone', heartbeat_at = now() where id = $1`, [id]);
    expect((await upload(client, '[]')).body).toMatchObject({
      code: 'conflict',
      details: { params: { reason: 'import_undo' } },
    });
    await server.dataSource.query(`update import set heartbeat_at = now() - interval '1 hour' where id = $1`, [id]);
    expect((await client.get(`/api/user/import/${id}`)).status).toBe(404);
    await server.app.get(ImportSweep).sweep();
    expect(await threadsOf(client)).toEqual([]);
    expect(await server.dataSource.query('select 1 from import where id = $1', [id])).toEqual([]);
  });
});

describe('an import that another node has ended', () => {
  it('stores nothing more', async () => {
    const { client } = await server.member();
    const { body } = await upload(client, JSON.stringify(many(COUNT)));
    await waitUntil('a conversation', async () => (await statusOf(client, body.id)).imported > 0);
    await server.dataSource.query(
      `update import set state = 'failed', error = '{"code":"of_a_later_version"}', ended_at = now() where id = $1`,
      [body.id],
    );
    const { imported } = await statusOf(client, body.id);
    const count = async () =>
      (
        await server.dataSource.query<[{ count: number }]>(
          'select count(*) from imported_thread where import_id = $1',
          [body.id],
        )
      )[0].count;
    expect(await count()).toBe(imported);
    expect(imported).toBeLessThan(COUNT);
    expect(await importJson(client, many(1))).toMatchObject({ state: 'done', imported: 0, skipped: 1 });
    expect(await count()).toBe(imported);
  });
});

describe('a shutdown', () => {
  it('stops an import between two conversations, and the next import goes on', async () => {
    const database = await createDatabase();
    const node = await startTestApp({ database });
    const { client, username } = await node.member();
    const { body } = await upload(client, JSON.stringify(many(COUNT)));
    await waitUntil('a conversation', async () => (await statusOf(client, body.id)).imported > 0);
    await node.close();
    const next = await startTestApp({ database });
    const again = next.client();
    await again.post('/api/login', { username, password: 'a quiet harbour at dawn' });
    const status = (await again.get<ImportStatus>(`/api/user/import/${body.id}`)).body;
    expect(status.state).toBe('failed');
    expect(status.imported).toBeLessThan(COUNT);
    const [{ threads, messages }] = await next.dataSource.query<[{ threads: number; messages: number }]>(
      `select (select count(*) from thread) as threads,
        (select count(*) from message where id in (select active_leaf_id from thread)) as messages`,
    );
    expect([threads, messages]).toEqual([status.imported, status.imported]);
    expect(await importJson(again, many(COUNT))).toMatchObject({
      state: 'done',
      imported: COUNT - status.imported,
      skipped: status.imported,
    });
    await next.close();
    await database.drop();
  });
});

describe('an import that waits', () => {
  it('keeps its staged file, is limited in number, and does not delay a shutdown', async () => {
    const database = await createDatabase();
    const node = await startTestApp({ database, timings: { nodeBeat: 100 } });
    const { client } = await node.member();
    try {
      // Two imports open their files, ten wait.
      const paths: string[] = [];
      for (let count = 0; count < 11; count += 1) paths.push(await startBlockedImport(node));

      // The upload of a file takes a place, which is free again after a failure.
      let fail: (error: Error) => void = () => undefined;
      const files = node.app.get(FilesService);
      const stage = jest.spyOn(files, 'stage');
      stage.mockImplementationOnce(() => new Promise((_resolve, reject) => (fail = reject)));
      const uploading = upload((await node.member()).client, '[]');
      await waitUntil('the upload', () => stage.mock.calls.length > 0);
      expect((await upload(client, '[]')).status).toBe(429);
      fail(new AppError('invalid'));
      expect((await uploading).status).toBe(400);
      expect(node.app.get(ImportRunner).reserve(0)).toBe(true);
      node.app.get(ImportRunner).release(0);

      paths.push(await startBlockedImport(node));
      expect(await upload(client, '[]')).toMatchObject({
        status: 429,
        body: { code: 'rate_limited', retryable: true },
      });

      const waiting = paths.at(-1)!;
      await utimes(waiting, 0, 0);
      await waitUntil('a new time of the staged file', async () => (await stat(waiting)).mtimeMs > 0);
    } finally {
      await node.close();
    }
    const next = await startTestApp({ database });
    const states = await next.dataSource.query<unknown[]>('select distinct state from import');
    expect(states).toEqual([{ state: 'failed' }]);
    await next.close();
    await database.drop();
  });
});
