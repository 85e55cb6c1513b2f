import { jest } from '@jest/globals';
import { pino } from 'pino';
import { AppError } from '../errors/app-error.js';
import { BackgroundWork } from '../resilience/background-work.js';
import { LocalBus } from './bus.js';
import { SharedTables } from './shared-tables.js';

const HALF_A_MINUTE = 30_000;

const logger = pino({ level: 'silent' });

/** Rows in Postgres, as a node reads them. Each node has an own one over the same bus. */
class Rows {
  stored = ['before'];
  isAway = false;
  statements = 0;
  readonly bus = new LocalBus(logger);

  node() {
    const background = new BackgroundWork(logger);
    const run = async <Row>() => {
      this.statements += 1;
      if (this.isAway) throw new Error('away');
      return [{ now: new Date(), versions: [this.stored.join()] }] as Row[];
    };
    const tables = new SharedTables(this.bus, run, logger, background);
    const table = tables.share([{ table: 'rows' }], async () => [...this.stored]);
    const heard: string[][] = [];
    table.onChanged(() => void heard.push(table.value));
    return { table, tables, background, heard };
  }
}

it('tells every node of other rows, and of the same rows none', async () => {
  const rows = new Rows();
  const [one, two] = [rows.node(), rows.node()];
  await Promise.all([one.table.load(), two.table.load()]);
  expect([one.heard, two.heard]).toEqual([[], []]);
  rows.stored = ['after'];
  await one.table.announce();
  await one.table.announce();
  expect([one.heard, two.heard]).toEqual([[['after']], [['after']]]);
  expect(two.table.value).toEqual(['after']);
});

it('tells the others of a change also when this node cannot read it', async () => {
  const rows = new Rows();
  const { table, tables } = rows.node();
  const other = rows.node();
  await Promise.all([table.load(), other.table.load()]);
  rows.stored = ['after'];
  const follow = jest.spyOn(tables, 'versions').mockRejectedValue(new Error('away'));
  await table.announce();
  expect([table.value, other.heard]).toEqual([['before'], [['after']]]);
  follow.mockRestore();
  await table.announce();
  expect(table.value).toEqual(['after']);
});

it('has a change that this node could read only a moment later', async () => {
  const rows = new Rows();
  const { table, tables } = rows.node();
  await table.load();
  rows.stored = ['after'];
  const away = () => new AppError('storage_unavailable');
  // The message to this node and the announcement read one after the other.
  jest.spyOn(tables, 'versions').mockRejectedValueOnce(away()).mockRejectedValueOnce(away());
  await table.announce();
  expect(table.value).toEqual(['after']);
});

it('tells the others of a change while this node still reads it', async () => {
  const rows = new Rows();
  const { table, tables } = rows.node();
  const other = rows.node();
  await Promise.all([table.load(), other.table.load()]);
  const heard = new Promise<void>((resolve) => other.table.onChanged(resolve));
  rows.stored = ['after'];
  let read: (versions: string[]) => void = () => undefined;
  jest.spyOn(tables, 'versions').mockReturnValue(new Promise((resolve) => (read = resolve)));
  const announced = table.announce();
  await heard;
  expect([table.value, other.table.value]).toEqual([['before'], ['after']]);
  read(['after']);
  await announced;
  expect(table.value).toEqual(['after']);
});

it('waits for no listener, and goes on after one that fails', async () => {
  const rows = new Rows();
  const { table, heard } = rows.node();
  await table.load();
  table.onChanged(() => new Promise<void>(() => undefined));
  table.onChanged(() => Promise.reject(new Error('late')));
  table.onChanged(() => {
    throw new Error('early');
  });
  let last = 0;
  table.onChanged(() => void (last += 1));
  rows.stored = ['after'];
  await table.announce();
  expect([heard.length, last]).toEqual([1, 1]);
});

describe('without messages', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('finds a change with one statement for all tables, also after a failure', async () => {
    const rows = new Rows();
    const { table, background, heard } = rows.node();
    await table.load();
    background.onApplicationBootstrap();
    rows.isAway = true;
    await jest.advanceTimersByTimeAsync(1.5 * HALF_A_MINUTE);
    rows.isAway = false;
    rows.stored = ['after'];
    await jest.advanceTimersByTimeAsync(HALF_A_MINUTE);
    expect(heard).toEqual([['after']]);
    const { statements } = rows;
    await jest.advanceTimersByTimeAsync(HALF_A_MINUTE);
    expect(rows.statements).toBe(statements + 1);
    background.onModuleDestroy();
  });
});
