import { MemoryBudget, MemoryBudgetFull, type Release } from './memory-budget.js';

/** Starts that wait and those that were admitted, in the order of their admission. */
function startsOn(budget: MemoryBudget) {
  const admitted: string[] = [];
  const releases = new Map<string, Release>();
  const start = (name: string, megabytes: number, signal?: AbortSignal) =>
    budget.reserve(megabytes, signal).then((release) => {
      admitted.push(name);
      releases.set(name, release);
    });
  return { admitted, start, end: (name: string) => releases.get(name)!() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('admits starts in order while their shares fit', async () => {
  const budget = new MemoryBudget(100);
  const { admitted, start, end } = startsOn(budget);
  void start('a', 60);
  void start('b', 50);
  // It would fit, and a large share would wait for ever if small ones passed it.
  void start('c', 10);
  await settle();
  expect([admitted, budget.used]).toEqual([['a'], 60]);
  end('a');
  await settle();
  expect([admitted, budget.used]).toEqual([['a', 'b', 'c'], 60]);
  end('b');
  end('b');
  end('c');
  expect(budget.used).toBe(0);
});

it('lets a start that gives up leave its place to the next', async () => {
  const budget = new MemoryBudget(100);
  const { admitted, start, end } = startsOn(budget);
  void start('a', 60);
  const stop = new AbortController();
  const refused = expect(start('b', 80, stop.signal)).rejects.toThrow('stopped');
  void start('c', 40);
  await settle();
  expect(admitted).toEqual(['a']);
  stop.abort(new Error('stopped'));
  await refused;
  expect([admitted, budget.used]).toEqual([['a', 'c'], 100]);
  await expect(start('d', 1, stop.signal)).rejects.toThrow('stopped');
  end('a');
  expect(budget.used).toBe(40);
});

it('refuses a start when too many wait, and one that can never fit', async () => {
  const budget = new MemoryBudget(100);
  const { start, end } = startsOn(budget);
  await start('all', 100);
  const waiting = Array.from({ length: 50 }, (_, index) => start(`w${index}`, 1));
  await expect(start('more', 1)).rejects.toThrow(MemoryBudgetFull);
  await expect(start('huge', 101)).rejects.toThrow(RangeError);
  end('all');
  await Promise.all(waiting);
  expect(budget.used).toBe(50);
});

it('asks for the memory of idle children when a start waits', async () => {
  const budget = new MemoryBudget(100);
  const { admitted, start, end } = startsOn(budget);
  await start('idle', 90);
  let ended = 0;
  budget.onShortage(() => {
    ended += 1;
    end('idle');
  });
  await start('small', 10);
  expect(ended).toBe(0);
  await start('large', 50);
  expect([ended > 0, admitted, budget.used]).toEqual([true, ['idle', 'small', 'large'], 60]);
});
