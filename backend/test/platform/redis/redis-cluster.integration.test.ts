import { Cluster } from 'ioredis';
import { REDIS } from '../../../src/platform/redis/redis.js';
import { channelOf } from '../../../src/platform/sockets/local-first-adapter.js';
import { ownerRoom, userOwner } from '../../../src/identity/identity.js';
import { at } from '../../chat/nodes/two-nodes.js';
import { Page } from '../../faults/page/page.js';
import { TestUser } from '../../faults/page/test-user.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { expectBalancedLedger } from '../../harness/ledger.js';
import { becomesLive } from './live-events.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { TestCluster } from '../../harness/servers/redis-cluster.js';
import type { RedisServer } from '../../harness/servers/redis-server.js';
import { echoText } from '../../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../../harness/scripted-upstream.js';
import type { SocketClient } from '../../harness/socket-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { waitUntil } from '../../harness/wait-until.js';

/** An answer of these words outlasts a failover: 8 s. */
const WORDS = 80;
const PACE_MS = 100;
const STREAMS = 6;

/** A member whose page is open on both nodes, without resumes: every event must come by itself. */
interface Viewer {
  userId: number;
  near: SocketClient;
  far: SocketClient;
}

/** An answer that is written on one node and shown on both, by pages that resume after gaps and silence. */
interface Stream {
  pages: Page[];
  generationId: string;
  expected: string;
}

describe('two nodes over a Redis Cluster of three primaries', () => {
  let cluster: TestCluster;
  let database: TestDatabase;
  let upstream: ScriptedUpstream;
  let one: ChatHarness;
  let two: ChatHarness;

  beforeAll(async () => {
    [cluster, database, upstream] = await Promise.all([TestCluster.start(), createDatabase(), startUpstream()]);
    const env = { redisUrl: cluster.url, appSecret: 'one secret of all nodes of this test, long enough' };
    const start = () => startChatHarness({ redis: false, env, database, sharedUpstream: upstream });
    one = await start();
    two = await start();
  });

  afterEach(async () => {
    await expectBalancedLedger(one);
    await cluster.startAll();
    await cluster.complete();
  });

  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await Promise.all([cluster.stop(), upstream.close()]);
    await database.drop();
  });

  const channelOfMember = (userId: number): string => channelOf(ownerRoom(userOwner(userId)));

  const openViewer = async (): Promise<Viewer> => {
    const { page, client, user } = await one.memberPage();
    return { userId: user.id, near: page, far: await two.page(at(two, client)) };
  };

  /** Sends a message on one node. The page on the other must show every event of the answer. */
  const expectLive = async ({ near, far }: Viewer): Promise<void> => {
    const { generationId } = await near.start('live');
    const [shown, seen] = await Promise.all([near.ended(generationId), far.ended(generationId)]);
    expect(seen.events).toEqual(shown.events);
    expect(seen.gaps).toBe(0);
  };

  const openStreams = async (): Promise<Stream[]> => {
    const streams = await Promise.all(
      Array.from({ length: STREAMS }, async (): Promise<Stream> => {
        const { client, user, username } = await one.member();
        const person = () => new TestUser(one.url, client.address, { username, password: PASSWORD }, user.id);
        const near = await Page.open(person(), one.url);
        const far = await Page.open(person(), two.url);
        const text = `stream [[words=${WORDS} pace=${PACE_MS}]]`;
        const send = near.send(text, null);
        await send.answered;
        const { generationId } = send.started!;
        far.follow(generationId);
        return { pages: [near, far], generationId, expected: echoText(text, WORDS) };
      }),
    );
    await waitUntil('the first words', () =>
      streams.every(({ pages, generationId }) => pages.every((page) => page.answer(generationId).text !== '')),
    );
    return streams;
  };

  /** Every answer is complete on both pages, word for word, and no error was untyped. */
  const expectWhole = async (streams: Stream[]): Promise<void> => {
    await waitUntil('the ends', () =>
      streams.every(({ pages, generationId }) => pages.every((page) => page.answer(generationId).isClosed)),
    );
    for (const { pages, generationId, expected } of streams) {
      for (const page of pages) {
        expect(page.answer(generationId).final).toMatchObject({ status: 'complete', content: expected });
        expect(page.violations).toEqual([]);
        page.close();
      }
    }
  };

  const serverOf = async (key: string): Promise<RedisServer> => cluster.primaryOf(key);

  it('share sessions, quotas, rate limits and events', async () => {
    const viewer = await openViewer();
    await expectLive(viewer);
    const { client, username } = await one.member();
    expect((await at(two, client).get('/api/user')).status).toBe(200);
    for (let tries = 0; tries < 10; tries += 1) {
      const node = tries % 2 ? one : two;
      await node.client('10.7.7.7').post('/api/login', { username, password: 'not this one' });
    }
    const refused = await two.client('10.7.7.7').post('/api/login', { username, password: PASSWORD });
    expect(refused.status).toBe(429);
    await client.post('/api/logout');
    expect((await at(two, client).get('/api/user')).status).toBe(401);
    expect((await one.client().get('/api/health/ready')).status).toBe(200);
    const redis = one.app.get<Cluster>(REDIS);
    expect(redis).toBeInstanceOf(Cluster);
    expect(new Set(redis.slots.map(([primary]) => primary)).size).toBe(3);
  });

  it('keep sessions and finish every answer when a primary is killed', async () => {
    const viewer = await openViewer();
    const streams = await openStreams();
    const victim = await serverOf(channelOfMember(viewer.userId));
    await victim.kill();
    await cluster.failedOver(victim);
    await expectWhole(streams);
    await becomesLive(viewer.near, viewer.far);
    await waitUntil('both nodes', async () => {
      const probes = await Promise.all([one, two].map((node) => node.client().get('/api/health/ready')));
      return probes.every(({ status }) => status === 200);
    });
  });

  it('finish every answer while a slot moves to another primary', async () => {
    const viewer = await openViewer();
    const streams = await openStreams();
    const keys = [
      channelOfMember(viewer.userId),
      `tanya:log:{${parseInt(streams[0]!.generationId.slice(0, 2), 16) % 64}}`,
    ];
    for (const key of keys) {
      const from = await serverOf(key);
      const others = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(serverOf));
      const to = others.find((server) => server !== from)!;
      await cluster.migrate(cluster.slotOf(key), from, to);
    }
    await expectWhole(streams);
    await becomesLive(viewer.near, viewer.far);
  });

  it('finish every answer when a primary hangs, and when it returns', async () => {
    const viewer = await openViewer();
    const streams = await openStreams();
    const victim = await serverOf(channelOfMember(viewer.userId));
    victim.freeze();
    try {
      await cluster.failedOver(victim);
      await expectWhole(streams);
      await becomesLive(viewer.near, viewer.far);
    } finally {
      victim.thaw();
    }
    await cluster.complete();
    await becomesLive(viewer.near, viewer.far);
  });

  it('degrade as with one server while the cluster is down, and recover', async () => {
    const { client } = await one.memberPage();
    const signedIn = async () => (await client.get('/api/user')).status;
    expect(await signedIn()).toBe(200);
    await cluster.killAll();
    await waitUntil('the outage', async () => (await one.client().get('/api/health/ready')).status === 503);
    expect(await signedIn()).toBe(503);
    const guest = await one.guest();
    expect((await guest.get('/api/general-settings')).status).toBe(200);
    await cluster.startAll();
    await cluster.complete();
    await waitUntil('the sessions', async () => (await signedIn()) === 401);
    const { near, far } = await openViewer();
    await becomesLive(near, far);
  });

  it('send no command over keys of several slots', async () => {
    expect(await cluster.crossSlotErrors()).toBe(0);
  });
});
