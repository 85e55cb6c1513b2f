import { setTimeout as sleep } from 'node:timers/promises';
import { Page, type Send } from '../../faults/page/page.js';
import { TestUser } from '../../faults/page/test-user.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { expectBalancedLedger } from '../../harness/ledger.js';
import type { PostgresNode } from '../../harness/servers/postgres-node.js';
import { createPair, PAIR_DATABASE, startPair, urlOfPair } from '../../harness/servers/postgres-pair.js';
import { PASSWORD, startTestApp } from '../../harness/test-app.js';
import { waitUntil } from '../../harness/wait-until.js';

/** Members that send one message after another. */
const SENDERS = 4;

describe('a server over a primary and a standby of Postgres', () => {
  let first: PostgresNode;
  let second: PostgresNode;
  let harness: ChatHarness;

  beforeAll(async () => {
    [first, second] = await startPair();
    const database = { url: urlOfPair(first, second), drop: () => Promise.resolve() };
    harness = await startChatHarness({ redis: false, database });
  });

  afterAll(async () => {
    await harness.close();
    await first.remove();
    await second.remove();
  });

  const openPage = async (): Promise<Page> => {
    const { client, user, username } = await harness.member({ isPremium: true });
    const person = new TestUser(harness.url, client.address, { username, password: PASSWORD }, user.id);
    return Page.open(person, harness.url);
  };

  const isReady = async (): Promise<boolean> => (await harness.client().get('/api/health/ready')).status === 200;

  it('loses no acknowledged send when the primary is killed amid sends, and follows the promotion (F3)', async () => {
    const pages = await Promise.all(Array.from({ length: SENDERS }, openPage));
    const sends: Send[] = [];
    let isOver = false;
    const sending = pages.map(async (page) => {
      while (!isOver) {
        const send = page.send(`send ${sends.length}`, null);
        sends.push(send);
        await send.answered;
      }
    });
    await waitUntil('the first sends', () => sends.filter(({ started }) => started !== null).length > 2 * SENDERS);
    await first.kill();
    const before = sends.filter(({ started }) => started !== null).length;
    await second.promote();
    await waitUntil('sends to the new primary', () => sends.filter(({ started }) => started).length > before + SENDERS);
    isOver = true;
    await Promise.all(sending);
    const acknowledged = sends.filter(({ started }) => started !== null).map(({ text }) => text);
    const rows = await second.query<{ content: string }>(
      'select content from message where is_user_message',
      PAIR_DATABASE,
    );
    expect(rows.map(({ content }) => content).toSorted()).toEqual(acknowledged.toSorted());
    expect(pages.flatMap(({ violations }) => violations)).toEqual([]);
    for (const page of pages) page.close();
    await expectBalancedLedger(harness);
  });

  it('refuses the previous primary when it returns, also while there is no other', async () => {
    const messagesOn = (node: PostgresNode) => node.query('select count(*)::int as count from message', PAIR_DATABASE);
    await first.query('select 1').catch(() => undefined);
    await first.start({ synchronous_standby_names: '' });
    const stale = await messagesOn(first);
    const page = await openPage();
    const send = page.send('to the new primary', null);
    await send.answered;
    expect(send.refusals.filter(({ retryable }) => !retryable)).toEqual([]);
    expect(send.started).not.toBeNull();
    await second.kill();
    await waitUntil('the outage', async () => !(await isReady()));
    // The previous primary answers all the time; several probes see it.
    await sleep(3_000);
    expect(await isReady()).toBe(false);
    expect((await page.user.browser.get('/api/user')).status).toBe(503);
    await second.start();
    await waitUntil('the return', isReady);
    const again = page.send('after the outage', null);
    await again.answered;
    expect(again.started).not.toBeNull();
    expect(await messagesOn(first)).toEqual(stale);
    page.close();
  });
});

describe('a start over several servers of Postgres', () => {
  let first: PostgresNode;
  let second: PostgresNode;

  beforeAll(async () => {
    [first, second] = await createPair();
    await first.start();
  });

  afterAll(async () => {
    await first.remove();
    await second.remove();
  });

  const start = (url: string, startTimeout = 30_000) =>
    startTestApp({ database: { url, drop: () => Promise.resolve() }, timings: { startTimeout } });

  it('succeeds when another server of the list is away', async () => {
    const server = await start(urlOfPair(second, first));
    expect((await server.client().get('/api/health/ready')).status).toBe(200);
    await server.close();
  });

  it('fails at its timeout and names each server when none is a primary', async () => {
    const url = urlOfPair({ ...second, password: first.password, port: 1 }, second);
    await expect(start(url, 1_000)).rejects.toThrow(
      /Postgres at 127\.0\.0\.1:1, 127\.0\.0\.1:\d+ did not answer within 1 s: No primary .*127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it('fails at once when two servers of the list are primaries', async () => {
    await second.start();
    await expect(start(urlOfPair(first, second))).rejects.toThrow(
      /lists two primaries, 127\.0\.0\.1:\d+ and 127\.0\.0\.1:\d+/,
    );
  });
});
