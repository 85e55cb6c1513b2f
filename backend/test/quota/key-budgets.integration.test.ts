import type { ApiKey, CreatedApiKey } from '@tanya/contract';
import { waitUntil } from '../harness/wait-until.js';
import { changeUser, moneyIn } from './budget-harness.js';
import { chat, costing, harness, member, scope } from './budgeted-member.js';

describe('the budget of a key', () => {
  const createKey = async (fields: object) =>
    (await member.client.post<CreatedApiKey>('/api/user/keys', { name: 'limited', ...fields })).body;
  const ask = (key: string) =>
    harness
      .client()
      .post(
        '/api/v1/chat/completions',
        { messages: [{ role: 'user', content: 'hello' }] },
        { headers: { Authorization: `Bearer ${key}` } },
      );

  it('limits its calls alone, for its whole life', async () => {
    const { id, key } = await createKey({ budgetUsd: '0.02' });
    expect([await ask(key), await ask(key)].map(({ status }) => status)).toEqual([200, 200]);
    const refused = await ask(key);
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: expect.objectContaining({ code: 'budget_exceeded', message: expect.stringContaining('API key') }) },
    ]);
    const [listed] = (await member.client.get<ApiKey[]>('/api/user/keys')).body;
    expect(listed).toMatchObject({ id, budgetUsd: '0.02', spentUsd: '0.02' });
    expect((await ask((await createKey({})).key)).status).toBe(200);
    await chat();
    await member.client.patch(`/api/user/keys/${id}`, { budgetUsd: 1 });
    expect((await ask(key)).status).toBe(200);
  });

  it('says what an answer may cost and what the key has left', async () => {
    const { key } = await createKey({ budgetUsd: '0.0125' });
    expect((await ask(key)).status).toBe(200);
    const message = expect.stringContaining('up to 0.01 USD, but the budget of this API key has 0.0025 USD left');
    expect((await ask(key)).body).toEqual({ error: expect.objectContaining({ code: 'budget_too_small', message }) });
  });

  it('leaves no hold when the key is deleted during an answer', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const { id, key } = await createKey({ budgetUsd: '1' });
    const release = harness.upstream.hold(costing(0.005));
    const answer = ask(key);
    await waitUntil('the hold', async () => (await moneyIn(harness, `key:${id}`)).heldUsd === '0.01');
    expect((await member.client.delete(`/api/user/keys/${id}`)).status).toBe(200);
    expect((await answer).status).toBe(503);
    release();
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0' });
  });
});
