import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ReadReplica } from '../../../src/platform/database/read-replica.js';
import type { RunStatement } from '../../../src/platform/database/statements.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { PostgresNode } from '../../harness/servers/postgres-node.js';
import { createPair, PAIR_DATABASE, urlOfPair } from '../../harness/servers/postgres-pair.js';
import type { Member } from '../../harness/test-app.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';

describe('a server with a replica of Postgres', () => {
  let primary: PostgresNode;
  let replica: PostgresNode;
  let harness: ChatHarness;
  let member: Member;

  beforeAll(async () => {
    [primary, replica] = await createPair();
    await primary.start();
    await replica.start({}, primary);
    const database = { url: urlOfPair(primary), drop: () => Promise.resolve() };
    harness = await startChatHarness({
      redis: false,
      database,
      env: { databaseReplicaUrl: urlOfPair(replica) },
      timings: { nodeBeat: 1_000 },
    });
    member = await harness.member();
  });

  afterAll(async () => {
    await harness.close();
    await primary.remove();
    await replica.remove();
  });

  const isOnReplica = async (): Promise<boolean> => {
    const read = (run: RunStatement) => run<{ standby: boolean }>('select pg_is_in_recovery() as standby', []);
    return (await harness.app.get(ReadReplica).snapshot(read))[0]!.standby;
  };

  /** Sends a message with a word of its own, and searches the word at once. */
  const findOwnWord = async (): Promise<void> => {
    const word = `word${randomUUID().replaceAll('-', '')}`;
    expect((await member.client.post('/api/chat/message', { content: word })).status).toBe(201);
    const { body } = await member.client.get(`/api/chat/search?query=${word}`);
    expect(body).toHaveLength(1);
  };

  it('reads from it what was written just before', async () => {
    // On a loaded machine a read may find the replica late and use the primary.
    await eventually(async () => {
      await findOwnWord();
      expect(await isOnReplica()).toBe(true);
    });
  });

  it('serves search, reports and exports while it is away, and uses it again', async () => {
    await replica.kill();
    await findOwnWord();
    expect((await member.client.get('/api/user/usage?from=2026-01-01&to=2026-12-31')).status).toBe(200);
    expect((await member.client.get('/api/user/export')).status).toBe(200);
    expect(await isOnReplica()).toBe(false);
    await replica.start({}, primary);
    await waitUntil('a read on the replica', isOnReplica);
  });

  it('reads from the primary while the replica lags', async () => {
    await replica.query('select pg_wal_replay_pause()');
    await findOwnWord();
    expect(await isOnReplica()).toBe(false);
    await replica.query('select pg_wal_replay_resume()');
    await waitUntil('a read on the replica', isOnReplica);
  });

  it('leaves out a server that no longer follows the primary', async () => {
    await replica.promote();
    // Its position passes the primary's.
    await replica.query(
      `create table filler as select repeat('x', 1000) from generate_series(1, 20000)`,
      PAIR_DATABASE,
    );
    const heartbeats = () => primary.query('select max(beat_at)::text as beat from node', PAIR_DATABASE);
    const before = await heartbeats();
    await waitUntil('the next heartbeat', async () => !isDeepStrictEqual(await heartbeats(), before));
    await findOwnWord();
  });
});
