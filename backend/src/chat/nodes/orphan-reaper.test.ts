import { OrphanReaper } from './orphan-reaper.js';

const unused = {} as never;

it('ends all orphans of the previous run at the start, where one fails the others, and starts', async () => {
  const orphans = ['broken', ...Array.from({ length: 300 }, (_, index) => `lost ${index}`)];
  const [warned, noted] = [jest.fn(), jest.fn()];
  const left = () => orphans.filter((id) => !ended.includes(id)).map((id) => ({ id }));
  const reaper = new OrphanReaper(
    { run: () => Promise.resolve(left().slice(0, 200)) } as never,
    { nodeId: 'own', redis: null } as never,
    { nodeBeat: 60_000, nodeDead: 60_000 } as never,
    { warn: warned, info: noted } as never,
    { beat: () => Promise.resolve(true), remove: () => Promise.resolve() } as never,
    unused,
    unused,
    { ids: [], drain: () => Promise.resolve() } as never,
    unused,
    unused,
    unused,
    { repeat: () => undefined } as never,
  );
  const ended: string[] = [];
  reaper.finalize = (id) => {
    if (id === 'broken') return Promise.reject(new Error('unreadable'));
    ended.push(id);
    return Promise.resolve('interrupted');
  };
  await reaper.onApplicationBootstrap();
  await reaper.beforeApplicationShutdown();
  expect(ended).toEqual(orphans.slice(1));
  expect(warned).toHaveBeenCalledTimes(2);
  expect(noted).toHaveBeenCalledWith({ generations: 300 }, expect.any(String));
});

it('ends no generation of a node that resumed while other orphans were ended', async () => {
  const orphans = [
    { id: 'lost', nodeId: 'dead' },
    { id: 'kept', nodeId: 'resumed' },
    { id: 'approved here', nodeId: 'own' },
    { id: 'never started', nodeId: 'own' },
  ];
  let markPassed = (): void => undefined;
  const passed = new Promise<void>((resolve) => (markPassed = resolve));
  const nodes = {
    beat: () => Promise.resolve(true),
    remove: () => Promise.resolve(),
    isAlive: (id: string) => Promise.resolve(id === 'resumed'),
  };
  const reaper = new OrphanReaper(
    { run: () => Promise.resolve(orphans) } as never,
    { nodeId: 'own', redis: {} } as never,
    { nodeBeat: 1, nodeDead: 0 } as never,
    unused,
    nodes as never,
    unused,
    unused,
    { ids: ['approved here'], drain: () => Promise.resolve() } as never,
    unused,
    unused,
    unused,
    { repeat: () => undefined } as never,
  );
  const ended = new Set<string>();
  reaper.finalize = (id) => {
    ended.add(id);
    if (id === orphans.at(-1)!.id) markPassed();
    return Promise.resolve('interrupted');
  };
  await reaper.onApplicationBootstrap();
  await passed;
  await reaper.beforeApplicationShutdown();
  expect([...ended]).toEqual(['lost', 'never started']);
});
