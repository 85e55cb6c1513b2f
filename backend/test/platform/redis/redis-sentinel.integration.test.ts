import { pino } from 'pino';
import { parseRedisUrl } from '../../../src/config/redis-url.js';
import { connectRedis } from '../../../src/platform/redis/redis.js';
import { at } from '../../chat/nodes/two-nodes.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { becomesLive } from './live-events.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { TestSentinels } from '../../harness/servers/redis-sentinels.js';
import { waitUntil } from '../../harness/wait-until.js';

describe('two nodes over Redis with Sentinels', () => {
  let redis: TestSentinels;
  let database: TestDatabase;
  let one: ChatHarness;
  let two: ChatHarness;

  beforeAll(async () => {
    [redis, database] = await Promise.all([TestSentinels.start(), createDatabase()]);
    const env = { redisUrl: redis.url, appSecret: 'one secret of all nodes of this test, long enough' };
    one = await startChatHarness({ redis: false, env, database });
    two = await startChatHarness({ redis: false, env, database, sharedUpstream: one.upstream });
  });

  afterAll(async () => {
    await two.close();
    await one.close();
    await redis.stop();
    await database.drop();
  });

  it('refuse a name that no Sentinel watches', async () => {
    const url = redis.url.replace(/sentinel=.*/, 'sentinel=mistyped');
    const connecting = connectRedis(parseRedisUrl(url), pino({ level: 'silent' }));
    await expect(connecting).rejects.toThrow('No Sentinel of REDIS_URL has a primary named mistyped');
  });

  it('keep sessions and show events on both nodes after a primary hangs and another replaces it', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const old = await redis.primary();
    await redis.synced();
    old.freeze();
    await redis.replaced(old);
    await waitUntil('the session', async () => (await at(two, client).get('/api/user')).status === 200);
    await becomesLive(page, far);
    old.thaw();
  });
});
