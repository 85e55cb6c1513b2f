import { jest } from '@jest/globals';
import type { QuotaPeriod } from '@tanya/contract';
import { InProcessQuotaCounters } from './quota-counters.js';
import type { QuotaLedger } from './quota-ledger.js';
import { QuotaService, type Spender } from './quota.service.js';

const OWNER = 'user:7';
const SPENDER = { owner: OWNER, userId: 7, isPremium: false, quotaOverride: 5 } as Partial<Spender> as Spender;

/** A service whose cached account has spent its quota of 5 in the period of the node's clock. */
async function exhausted(quotaPeriod: QuotaPeriod, period: string, usedNow: number) {
  const counters = new InProcessQuotaCounters();
  await counters.store(OWNER, period, { used: 5, version: 3 });
  const reads = jest.fn(async () => usedNow);
  const ledger = { usedNow: reads } as unknown as QuotaLedger;
  const settings = { get: () => ({ quotaPeriod }) };
  const ignored = () => undefined;
  const [none, metrics, bus, views] = [{}, { refused: ignored }, { subscribe: ignored }, { register: ignored }];
  const parts = [settings, ledger, none, none, none, counters, metrics, bus, views] as unknown;
  const service = new QuotaService(...(parts as ConstructorParameters<typeof QuotaService>));
  return { service, reads };
}

describe('the gate of an exhausted account', () => {
  afterEach(() => jest.useRealTimers());

  const at = (now: string) => jest.useFakeTimers({ now: new Date(now), doNotFake: ['nextTick', 'queueMicrotask'] });

  it('admits in the new period of the database, when the clock of the node is slow', async () => {
    at('2026-11-20T23:59:30Z');
    const { service } = await exhausted('daily', '2026-11-20', 0);
    await expect(service.gate(SPENDER, 1)).resolves.toBeUndefined();
  });

  it('refuses near the end of a period that the database confirms', async () => {
    at('2026-11-30T23:59:30Z');
    const { service } = await exhausted('monthly', '2026-11', 5);
    await expect(service.gate(SPENDER, 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });

  it('refuses without a query at other times', async () => {
    at('2026-11-20T12:00:00Z');
    const { service, reads } = await exhausted('daily', '2026-11-20', 0);
    await expect(service.gate(SPENDER, 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(reads).not.toHaveBeenCalled();
  });
});
