import type { ApiKeyResponse } from '@tanya/contract';
import { Redis } from 'ioredis';
import { at, startTwoNodes, type TwoNodes } from '../chat/nodes/two-nodes.js';
import { Random, SEED } from '../faults/random.js';
import { SocketClient } from '../harness/socket-client.js';
import { changeSettings, changeUser, FEE, moneyIn, withoutBudgets } from './budget-harness.js';
import { setPrices } from './usage-harness.js';

const SENDS = 50;

let nodes: TwoNodes;

beforeAll(async () => {
  nodes = await startTwoNodes();
  await setPrices(nodes.one, FEE);
});

afterEach(async () => {
  await nodes.settle();
  await withoutBudgets(nodes.one);
});

afterAll(() => nodes.close());

it('admits one of 50 sends over socket, REST and API on two nodes when one is affordable and Redis is flushed (LIM-11)', async () => {
  const { client, user } = await nodes.one.member();
  const key = (await client.post<ApiKeyResponse>('/api/user/apikey/generate')).body.apiKey!;
  const headers = { Authorization: `Bearer ${key}` };
  const both = [nodes.one, nodes.two];
  const browsers = both.map((node) => at(node, client));
  const pages = await Promise.all(browsers.map((browser) => SocketClient.connect(browser)));
  await changeUser(nodes.one, user.id, { budgetUsd: '0.01', budgetPeriod: 'never' });
  const flusher = new Redis(nodes.one.redis!.url);
  const refusals: string[] = [];
  const send = async (index: number): Promise<void> => {
    const content = `race ${index}`;
    const side = index % 2;
    if (index % 3 === 0) {
      const ack = await pages[side]!.tryStart(content);
      if (!ack.ok) refusals.push(ack.error.code);
    } else if (index % 3 === 1) {
      // A flush ends the session: later calls are those of a guest.
      await browsers[side]!.post('/api/chat/message', { content });
    } else {
      const messages = [{ role: 'user', content }];
      const answer = await both[side]!.client().post('/api/v1/chat/completions', { messages }, { headers });
      if (answer.status !== 200) refusals.push((answer.body as { error: { code: string } }).error.code);
    }
  };
  await Promise.all(
    Array.from({ length: SENDS }, async (_, index) => {
      if (index % 10 === 9) await flusher.flushall();
      await send(index);
    }),
  );
  flusher.disconnect();
  await nodes.settle();
  for (const page of pages) await page.close();
  const records = await nodes.one.dataSource.query<unknown[]>('select 1 from usage_record where user_id = $1', [
    user.id,
  ]);
  expect(records).toHaveLength(1);
  // On a loaded machine a send may not get a connection in time.
  expect(new Set(refusals.filter((code) => code !== 'storage_unavailable'))).toEqual(new Set(['budget_exceeded']));
  expect(await moneyIn(nodes.one, `user:${user.id}`)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
});

describe('the budget of the installation', () => {
  const hold = async (amount: string, limit: string): Promise<boolean> => {
    const terms = { amount, installation: { limit, period: 'never' } };
    try {
      await nodes.one.dataSource.query('select * from hold_budgets(null, null, $1)', [JSON.stringify(terms)]);
      return true;
    } catch (error) {
      expect((error as Error).message).toMatch(/^budget_installation /);
      return false;
    }
  };
  const used = async () => {
    const { spentUsd, heldUsd } = await moneyIn(nodes.one, 'installation');
    return Number(spentUsd) + Number(heldUsd);
  };
  const open = async () => {
    await nodes.one.dataSource.query(`delete from budget_account where scope = 'installation'`);
    await nodes.one.dataSource.query(`select open_budget('installation', 'never')`);
    return used();
  };

  afterEach(() => nodes.one.dataSource.query(`delete from budget_account where scope = 'installation'`));

  it.each([
    ['fit many times into a slot', '0.01', 1, 100],
    ['fit once into a slot', '0.06', 1, 16],
    ['are larger than a slot', '0.15', 1, 6],
    ['are the whole budget', '1', 1, 1],
  ])('admits exactly what is affordable of parallel holds that %s', async (_name, amount, budget, affordable) => {
    const before = await open();
    const limit = (before + budget).toFixed(12);
    const held = await Promise.all(Array.from({ length: affordable + 50 }, () => hold(amount, limit)));
    expect(held.filter(Boolean)).toHaveLength(affordable);
    expect(await used()).toBeCloseTo(before + affordable * Number(amount), 9);
  });

  it(`never exceeds its limit with amounts of any size, and refuses only what does not fit (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const before = await open();
    const limit = before + 1;
    let refused = 0;
    for (let round = 0; round < 20; round += 1) {
      const amounts = Array.from({ length: 10 }, () => (random.next() ** 3 * 0.2).toFixed(12));
      await Promise.all(amounts.map((amount) => hold(amount, limit.toFixed(12))));
      expect(await used()).toBeLessThanOrEqual(limit + 1e-9);
      const amount = (random.next() * 0.3).toFixed(12);
      const fits = (await used()) + Number(amount) <= limit;
      const isHeld = await hold(amount, limit.toFixed(12));
      if (!isHeld) refused += 1;
      expect(isHeld).toBe(fits);
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('admits what is affordable of parallel sends of many members', async () => {
    const before = await open();
    await changeSettings(nodes.one, {
      installationBudgetUsd: (before + 0.05).toFixed(12),
      installationBudgetPeriod: 'never',
    });
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? nodes.one : nodes.two).memberPage()),
    );
    const acks = await Promise.all(pages.map(({ page }) => page.tryStart('one of many')));
    expect(acks.filter(({ ok }) => ok)).toHaveLength(5);
    await Promise.all(
      acks.map(async (ack, index) => {
        if (ack.ok) await pages[index]!.page.ended(ack.data.generationId);
      }),
    );
    expect(await used()).toBeCloseTo(before + 0.05, 9);
  });
});
