import { jest } from '@jest/globals';
import { isQuotaSpent } from './quota.service.js';

describe('the gate of an owner who has sent 5 of 5 messages by the clock of the node', () => {
  afterEach(() => jest.useRealTimers());

  const at = (now: string) => jest.useFakeTimers({ now: new Date(now), doNotFake: ['nextTick', 'queueMicrotask'] });
  const demand = { used: 5, cost: 1, max: 5 };

  it('admits in the new period of the database, when the clock of the node is slow', async () => {
    at('2026-11-20T23:59:30Z');
    await expect(isQuotaSpent({ ...demand, quotaPeriod: 'daily' }, async () => 0)).resolves.toBe(false);
  });

  it('refuses near the end of a period that the database confirms', async () => {
    at('2026-11-30T23:59:30Z');
    await expect(isQuotaSpent({ ...demand, quotaPeriod: 'monthly' }, async () => 5)).resolves.toBe(true);
  });

  it('refuses without a query at other times', async () => {
    at('2026-11-20T12:00:00Z');
    const usedNow = jest.fn(async () => 0);
    await expect(isQuotaSpent({ ...demand, quotaPeriod: 'daily' }, usedNow)).resolves.toBe(true);
    expect(usedNow).not.toHaveBeenCalled();
  });

  it('admits while messages are left, without a query', async () => {
    const usedNow = jest.fn(async () => 5);
    await expect(isQuotaSpent({ ...demand, used: 4, quotaPeriod: 'daily' }, usedNow)).resolves.toBe(false);
    expect(usedNow).not.toHaveBeenCalled();
  });
});
