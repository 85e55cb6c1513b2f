import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Timings } from '../../../config/timings.js';
import type { GenerationRun } from './generation-run.js';
import { RunRegistry } from './run-registry.js';

it('keeps an id reserved until the last of its reservations has ended', () => {
  const unused = {} as never;
  const registry = new RunRegistry(unused, unused, unused);
  const first = registry.reserve('answer');
  {
    using _second = registry.reserve('answer');
  }
  expect(registry.ids).toEqual(['answer']);
  first[Symbol.dispose]();
  expect(registry.ids).toEqual([]);
});

it('keeps the run that goes on with an answer when an earlier run of it ends', async () => {
  const unused = {} as never;
  const registry = new RunRegistry(unused, unused, unused);
  const [earlier, later] = [{ id: 'answer' }, { id: 'answer' }] as GenerationRun[];
  registry.add(earlier!);
  registry.add(later!);
  registry.remove(earlier!);
  expect(registry.find('answer')).toBe(later);
  registry.remove(later!);
  expect(registry.find('answer')).toBeUndefined();
});

describe('a shutdown', () => {
  const drained = (shutdownGrace: number) => {
    const unused = {} as never;
    const registry = new RunRegistry(unused, unused, { shutdownGrace } as Timings);
    const reservation = registry.reserve('answer');
    const run = { id: 'answer', abort: jest.fn() };
    let isOver = false;
    const end = registry.drain().then(() => (isOver = true));
    return { registry, reservation, run, end, isOver: () => isOver };
  };

  it('waits for an answer that is admitted, and then for its run', async () => {
    const { registry, reservation, run, end, isOver } = drained(60_000);
    await turn();
    registry.add(run as unknown as GenerationRun);
    reservation[Symbol.dispose]();
    await turn();
    expect(isOver()).toBe(false);
    registry.remove(run as unknown as GenerationRun);
    await end;
    expect(run.abort).not.toHaveBeenCalled();
  });

  it('aborts a run that begins after the grace period', async () => {
    const { registry, reservation, run, end } = drained(0);
    await sleep(20);
    registry.add(run as unknown as GenerationRun);
    expect(run.abort).toHaveBeenCalledWith('shutdown');
    reservation[Symbol.dispose]();
    registry.remove(run as unknown as GenerationRun);
    await end;
  });
});
