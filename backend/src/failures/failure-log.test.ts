import { jest } from '@jest/globals';
import type { Repository } from 'typeorm';
import type { Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import type { FailureEntity } from './failure.entity.js';
import { FailureLog } from './failure-log.js';

const AWAY = Object.assign(new Error('Connection terminated'), { code: 'ECONNREFUSED' });

type Row = Omit<FailureEntity, 'id'>;

/** A log whose rows `insert` takes, or refuses by throwing. */
function logOf(insert: (rows: Row[]) => Promise<unknown>) {
  const warn = jest.fn();
  const logger = { warn } as unknown as Logger;
  const log = new FailureLog({ insert } as unknown as Repository<FailureEntity>, logger, new BackgroundWork(logger));
  const record = (...ids: string[]) => {
    for (const requestId of ids) log.record({ code: 'internal', status: 500, requestId });
  };
  return { log, record, warn };
}

const idsOf = (rows: Row[]) => rows.map(({ requestId }) => requestId);

it('writes the failures of one turn in one statement', async () => {
  const written: unknown[] = [];
  const { log, record } = logOf(async (rows) => written.push(idsOf(rows)));
  record('a', 'b');
  await log.onApplicationShutdown();
  expect(written).toEqual([['a', 'b']]);
});

it('keeps failures while Postgres is away, also those that happen meanwhile', async () => {
  const written: unknown[] = [];
  let attempts = 0;
  const { log, record, warn } = logOf(async (rows) => {
    attempts += 1;
    if (attempts === 1) record('b');
    if (attempts < 3) throw AWAY;
    written.push(...idsOf(rows));
  });
  record('a');
  await log.onApplicationShutdown();
  expect(written).toEqual(['a', 'b']);
  expect(warn).not.toHaveBeenCalled();
});

it('keeps 1,000 failures while Postgres is away and counts the others in the log', async () => {
  let [written, isAway] = [0, true];
  const { log, record, warn } = logOf(async (rows) => {
    if (isAway) throw AWAY;
    written += rows.length;
  });
  record(...Array.from({ length: 1_005 }, (_, at) => `${at}`));
  isAway = false;
  await log.onApplicationShutdown();
  expect(written).toBe(1_000);
  expect(warn).toHaveBeenCalledWith({ failures: 5 }, expect.stringContaining('too many failures'));
});

it('drops a row that Postgres refuses, with its ids in the log, and keeps the others', async () => {
  const written: unknown[] = [];
  const { log, record, warn } = logOf(async (rows) => {
    if (idsOf(rows).includes('bad')) throw new Error('violates foreign key constraint');
    written.push(...idsOf(rows));
  });
  record('a', 'bad', 'c');
  await log.onApplicationShutdown();
  expect(written).toEqual(['a', 'c']);
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ requestId: 'bad' }), expect.any(String));
});

it('stores words that Postgres can keep', async () => {
  let stored: Row['provider'] = null;
  const { log } = logOf(async ([row]) => (stored = row!.provider));
  log.record({ code: 'provider_error', status: 500, provider: { message: 'a\0b\ud800', type: undefined } });
  await log.onApplicationShutdown();
  expect(stored).toEqual({ message: 'ab\ufffd' });
});
