import { fakeThread } from '../../../app/queries/fake-thread';
import { groupThreads } from './group-threads';

const now = new Date(2026, 5, 15, 10, 30);

const changedAt = (id: number, date: Date) => fakeThread(id, { updatedAt: date.toISOString() });

describe('groupThreads', () => {
  it('groups by calendar day, not by elapsed hours', () => {
    const groups = groupThreads(
      [
        changedAt(1, new Date(2026, 5, 15, 0, 0)),
        changedAt(2, new Date(2026, 5, 14, 23, 59)),
        changedAt(3, new Date(2026, 5, 9, 8, 0)),
        changedAt(4, new Date(2026, 5, 7, 23, 59)),
      ],
      now,
    );
    expect(groups.map(({ name, threads }) => [name, threads.map(({ id }) => id)])).toEqual([
      ['Today', [1]],
      ['Yesterday', [2]],
      ['Previous 7 days', [3]],
      ['Older', [4]],
    ]);
  });

  it('puts pinned threads first, whatever their day', () => {
    const old = { ...changedAt(5, new Date(2020, 1, 1)), isPinned: true };
    const groups = groupThreads([old, changedAt(1, now)], now);
    expect(groups.map(({ name, threads }) => [name, threads.map(({ id }) => id)])).toEqual([
      ['Pinned', [5]],
      ['Today', [1]],
    ]);
  });

  it('omits empty groups', () => {
    expect(groupThreads([changedAt(1, now)], now).map(({ name }) => name)).toEqual(['Today']);
    expect(groupThreads([], now)).toEqual([]);
  });

  it('puts a thread from the future into Today', () => {
    expect(groupThreads([changedAt(1, new Date(2026, 5, 16))], now)[0]?.name).toBe('Today');
  });

  it('groups by calendar day where clocks change', () => {
    const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
    const zone = env['TZ'];
    env['TZ'] = 'Europe/Berlin';
    try {
      // The day before has 25 hours.
      const yesterday = changedAt(1, new Date(2026, 9, 25, 0, 30));
      expect(new Date(2026, 9, 25).getTimezoneOffset()).toBe(-120);
      expect(groupThreads([yesterday], new Date(2026, 9, 26, 10, 0))[0]?.name).toBe('Yesterday');
    } finally {
      if (zone === undefined) delete env['TZ'];
      else env['TZ'] = zone;
    }
  });
});
