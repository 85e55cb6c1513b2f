import type { Logger } from '../observability/logging.js';
import type { BackgroundWork } from './background-work.js';
import { LeasedQueue } from './leased-queue.js';

/** A queue of numbered rows, of which the first may be claimed next; a row ends when it is released. */
function queueOf(rows: number[], isPaused = (): boolean => false) {
  const postponed: [number, number][] = [];
  const worked: [number, number[]][] = [];
  const releases = new Map<number, () => void>();
  const repeated: (() => unknown)[] = [];
  const background = { repeat: (_name: string, _ms: number, work: () => unknown) => repeated.push(work) };
  const queue = new LeasedQueue<number>(
    {
      name: 'queue of numbers',
      concurrency: 2,
      leaseMs: 40_000,
      lookMs: 1_000,
      claimNext: async () => rows.shift() ?? null,
      postpone: async (row, seconds) => void postponed.push([row, seconds]),
      work: (row) => new Promise((resolve) => releases.set(row, resolve)),
      onWorked: async (row) => void worked.push([row, queue.claims]),
      isPaused,
    },
    {} as Logger,
    background as unknown as BackgroundWork,
  );
  const release = async (row: number) => {
    releases.get(row)!();
    await settled();
  };
  return { queue, rows, release, postponed, worked, renew: () => repeated[1]!() };
}

/** After all that is ready has run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('LeasedQueue', () => {
  it('works at as many rows as it may, and at the next one where one ends', async () => {
    const { queue, rows, release, worked } = queueOf([1, 2, 3]);
    queue.wake();
    await settled();
    expect(queue.claims).toEqual([1, 2]);
    await release(1);
    expect(queue.claims).toEqual([2, 3]);
    expect(rows).toEqual([]);
    // The row is no longer held when that is told: a renewal would bring back its lease.
    expect(worked).toEqual([[1, [2]]]);
  });

  it('renews the leases of its rows, and gives them back when it stops', async () => {
    const { queue, postponed, renew } = queueOf([1, 2, 3]);
    queue.wake();
    await settled();
    await renew();
    await queue.stop();
    expect(postponed).toEqual([
      [1, 40],
      [2, 40],
      [1, 0],
      [2, 0],
    ]);
  });

  it('claims none after it has stopped, or while it is paused', async () => {
    const stopped = queueOf([1]);
    await stopped.queue.stop();
    stopped.queue.wake();
    const paused = queueOf([1], () => true);
    paused.queue.wake();
    await settled();
    expect([stopped.rows, paused.rows]).toEqual([[1], [1]]);
  });

  it('gives back a row that was claimed while it stopped', async () => {
    const { queue, postponed } = queueOf([1]);
    queue.wake();
    await queue.stop();
    await settled();
    expect([postponed, queue.claims]).toEqual([[[1, 0]], []]);
  });
});
