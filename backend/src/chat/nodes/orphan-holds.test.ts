import { pino } from 'pino';
import { OrphanHolds } from './orphan-holds.js';

/** More than a batch of accounts whose holds have no orphaned record, and one after them. */
const ACCOUNTS = [...Array.from({ length: 250 }, (_, index) => `guest:${1_000 + index}`), 'user:1'];

it('reaches the accounts after a batch without an orphaned hold, and then begins anew', async () => {
  const begins: string[] = [];
  const released: string[] = [];
  const run = (sql: string, [owner]: [string]): Promise<object[]> => {
    if (sql.includes('for update')) return Promise.resolve(owner === 'user:1' ? [{ owner, period: 'ever' }] : []);
    begins.push(owner);
    const rest = ACCOUNTS.filter((each) => each > owner);
    return Promise.resolve(rest.slice(0, 200).map((each) => ({ owner: each, period: 'ever' })));
  };
  const holds = new OrphanHolds(
    { holdSweep: 1 } as never,
    pino({ level: 'silent' }),
    { run } as never,
    { committed: ({ owner }: { owner: string }) => Promise.resolve(released.push(owner)) } as never,
  );
  holds.onApplicationBootstrap();
  while (begins.length < 3) await new Promise((resolve) => setImmediate(resolve));
  holds.onApplicationShutdown();
  expect(begins.slice(0, 3)).toEqual(['', 'guest:1199', '']);
  expect(released[0]).toBe('user:1');
});
