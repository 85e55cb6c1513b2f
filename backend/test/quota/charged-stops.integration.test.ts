import type { Message, Quota } from '@tanya/contract';
import { FreeStops } from '../../src/quota/free-stops.js';
import { ADAPTERS, type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { dataOf, type SocketClient } from '../harness/socket-client.js';
import { waitUntil } from '../harness/wait-until.js';

const SILENT = { steps: [{ stall: true as const }] };
const REASONING = { steps: [{ reasoning: 'Let me think. ' }, { stall: true as const }] };
const UNREADABLE = {
  steps: [
    {
      chunk: {
        choices: [{ index: 0, delta: { reasoning: '', reasoning_details: [{ type: 'reasoning.encrypted' }] } }],
      },
    },
    { stall: true as const },
  ],
};

/** Stops before any output that an owner has for free in an hour. */
const FREE = 20;

describe.each(ADAPTERS)('a stop, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const usedBy = async (client: HttpClient) => (await client.get<Quota>('/api/user/quota')).body.used;

  async function stopUnseen(page: SocketClient, script: typeof SILENT | typeof UNREADABLE = SILENT): Promise<void> {
    harness.upstream.script(script);
    const calls = harness.upstream.callsOf().length;
    const { generationId } = await page.start('nothing yet');
    await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    await page.ended(generationId);
  }

  async function stopReasoning({ page }: Pick<MemberPage, 'page'>, stop: (id: string) => Promise<unknown>) {
    harness.upstream.script(REASONING);
    const { generationId } = await page.start('think about it');
    await page.until(() => page.answer(generationId).reasoning !== '');
    await stop(generationId);
    return (await page.ended(generationId)).message;
  }

  const seenStop: Partial<Message> = { status: 'stopped', content: '', reasoning: 'Let me think. ' };

  it('after reasoning was shown is charged (LIM-12)', async () => {
    const { page, client } = await harness.memberPage();
    expect(await stopReasoning({ page }, (id) => page.tryStop(id))).toMatchObject(seenStop);
    const overRest = (id: string) => client.post(`/api/chat/generations/${id}/stop`);
    expect(await stopReasoning({ page }, overRest)).toMatchObject(seenStop);
    expect(await usedBy(client)).toBe(2);
  });

  it('after encrypted reasoning is free', async () => {
    const { page, client } = await harness.memberPage();
    await stopUnseen(page, UNREADABLE);
    expect(await usedBy(client)).toBe(0);
  });

  it('after an answer whose reasoning was shown has failed stays free', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script({ steps: [{ reasoning: 'Let me think. ' }, { cut: true }] });
    const { generationId } = await page.start('think and fail');
    const { message } = await page.ended(generationId);
    expect(message.status).not.toBe('stopped');
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: message.status });
    expect(await usedBy(client)).toBe(0);
  });

  it('before any output is charged after 20 in an hour, and failures stay free (LIM-12)', async () => {
    const { page, client, user } = await harness.memberPage();
    for (let count = 1; count <= FREE; count += 1) await stopUnseen(page);
    expect(await usedBy(client)).toBe(0);
    await stopUnseen(page);
    await stopUnseen(page);
    expect(await usedBy(client)).toBe(2);
    harness.upstream.script({ status: 400, body: '{"error":{"message":"no"}}' });
    const { generationId } = await page.start('fails');
    expect((await page.ended(generationId)).message.status).toBe('error');
    expect(await usedBy(client)).toBe(2);
    const records = await harness.dataSource.query<{ state: string; count: number }[]>(
      `select state, count(*)::int from usage_record where reason = 'stopped' and owner = $1 group by 1 order by 1`,
      [`user:${user.id}`],
    );
    expect(records).toEqual([
      { state: 'charged', count: 2 },
      { state: 'released', count: FREE },
    ]);
  });

  it('of a guest counts for the address, which a new cookie does not change', async () => {
    const first = await harness.guest();
    const freeStops = harness.app.get(FreeStops);
    for (let count = 0; count < FREE; count += 1) {
      const owner = `guest:earlier-${count}` as const;
      expect(await freeStops.takeOne({ owner, userId: null, address: first.address })).toBe(true);
    }
    const guest = harness.client(first.address);
    await guest.get('/api/general-settings');
    await stopUnseen(await harness.page(guest));
    expect(await usedBy(guest)).toBe(1);
    const elsewhere = await harness.guest();
    await stopUnseen(await harness.page(elsewhere));
    expect(await usedBy(elsewhere)).toBe(0);
  });

  if (!redis) {
    it('is counted in Postgres, so that a restart gives none back', async () => {
      const { page, user } = await harness.memberPage();
      await stopUnseen(page);
      const [row] = await harness.dataSource.query<[{ points: number } | undefined]>(
        'select points from rate_limit where key = $1',
        [`tanya:limit:free-stops:user:${user.id}`],
      );
      expect(row).toEqual({ points: 1 });
    });
  }
});
