import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { admitNewThread } from '../../../src/chat/generation/admission/admit-send.sql.js';
import { storeEnd } from '../../../src/chat/generation/end/store-end.sql.js';
import { statementName } from '../../../src/platform/database/prepared-connection.js';
import { ADAPTERS, type ChatHarness, FAST_TIMINGS, startChatHarness } from '../../harness/chat-harness.js';
import { LostCommitProxy } from '../../harness/lost-commit-proxy.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { echoText } from '../../harness/scripted-answers.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';

describe.each(ADAPTERS)('a database failure, %s', (_name, redis) => {
  let database: TestDatabase;
  let proxy: LostCommitProxy;
  let harness: ChatHarness;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await LostCommitProxy.inFrontOf(database.url);
    // A single node does not reap its own runs, so a short nodeDead only affects generations that never began.
    harness = await startChatHarness({
      redis,
      database,
      env: { databaseUrl: proxy.url },
      timings: { ...FAST_TIMINGS, nodeDead: 2_000 },
    });
  });

  afterEach(() => harness.settle());

  afterAll(async () => {
    await harness.close();
    await proxy.close();
    await database.drop();
  });

  it('that is a refusal keeps the connections of the pool', async () => {
    const { page } = await harness.memberPage();
    const begun = await page.start('first [[words=2]]');
    await page.ended(begun.generationId);
    const connections = () =>
      withConnection(database, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and application_name = 'tanya'`,
        );
        return rows.map(({ pid }) => pid);
      });
    const before = await connections();
    for (let count = 0; count < 20; count += 1) {
      expect(refusalOf(await page.tryStart('nowhere', { threadId: 999_999_999 }))).toMatchObject({ code: 'not_found' });
    }
    // The pool closes idle connections; the one that it lends again and again stays.
    expect((await connections()).filter((pid) => before.includes(pid))).not.toEqual([]);
  });

  it('in the transaction of an end leads to one end and one charge (F5)', async () => {
    const { page, client, user } = await harness.memberPage();
    const release = harness.upstream.holdAfter('goes on');
    const { generationId } = await page.start('almost done');
    await page.firstText(generationId);
    await withConnection(database, async (locker) => {
      await locker.query('begin');
      await locker.query('select 1 from quota_account where owner = $1 for update', [`user:${user.id}`]);
      release();
      await waitForLockWait(database, 'pg_terminate_backend(pid)');
      await locker.query('rollback');
    });
    const shown = await page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'complete', content: shown.text });
    expect([shown.late, shown.gaps]).toEqual([0, 0]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('that loses the response to the commit of an end still emits it once (F5, I10)', async () => {
    const { page, client } = await harness.memberPage();
    const release = harness.upstream.holdAfter('goes on');
    const { generationId } = await page.start('late commit');
    await page.firstText(generationId);
    const { dropped } = proxy;
    proxy.dropNext(statementName(storeEnd.text)!);
    release();
    const shown = await page.ended(generationId);
    expect(proxy.dropped).toBe(dropped + 1);
    expect(shown.message).toMatchObject({ status: 'complete', content: shown.text });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    const resumed = dataOf(await page.tryResume(generationId, 0));
    expect(resumed).toMatchObject({ outcome: 'resumed' });
  });

  it('that loses the response to the commit of a send leaves no running answer (F2, I3)', async () => {
    const { page, client } = await harness.memberPage();
    const clientMessageId = randomUUID();
    proxy.dropNext(statementName(admitNewThread.unbudgeted.text)!);
    const refused = refusalOf(await page.tryStart('committed or not', { clientMessageId }));
    expect(refused).toMatchObject({ code: 'storage_unavailable', retryable: true });
    const again = await page.start('committed or not', { clientMessageId });
    expect(again.duplicate).toBe(true);
    const shown = await page.ended(again.generationId);
    expect(shown.message).toMatchObject({ status: 'interrupted', error: { code: 'interrupted', retryable: true } });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    const retried = dataOf(await page.tryRegenerate(again.aiMessage.id));
    expect((await page.ended(retried.generationId)).message.status).toBe('complete');
  });

  it('of all connections during an answer loses no text (F3)', async () => {
    const { page } = await harness.memberPage();
    const text = 'restart [[words=100 pace=10]]';
    const { generationId } = await page.start(text);
    await page.firstText(generationId);
    for (let round = 0; round < 3; round += 1) {
      await withConnection(database, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tanya'`,
        ),
      );
      await sleep(100);
    }
    const shown = await page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'complete', content: echoText(text, 100) });
    expect([shown.text, shown.gaps]).toEqual([shown.message.content, 0]);
  });
});
