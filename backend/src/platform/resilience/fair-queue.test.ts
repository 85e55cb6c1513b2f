import { fairQueue } from './fair-queue.js';

/** A task of somebody that notes its start and ends when the test says so. */
function openTask(started: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = (): Promise<void> => {
    started.push(name);
    return ended;
  };
  return { run, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('fairQueue', () => {
  it('lets those who wait take turns, however many tasks each has', async () => {
    const queue = fairQueue({ concurrency: 2, waiting: 10, waitingOfOne: 10 });
    const started: string[] = [];
    const names = ['1a', '1b', '1c', '1d', '2a', '2b', '3a'];
    const tasks = names.map((name) => openTask(started, name));
    const results = tasks.map(({ run }, at) => queue(Number(names[at]![0]), run));
    await settled();
    expect(started).toEqual(['1a', '1b']);
    for (const { end } of tasks) {
      end();
      await settled();
    }
    await Promise.all(results);
    expect(started).toEqual(['1a', '1b', '1c', '2a', '3a', '1d', '2b']);
  });

  it('refuses tasks beyond those that run and wait, and takes more after others have ended or failed', async () => {
    const queue = fairQueue({ concurrency: 1, waiting: 1, waitingOfOne: 1 });
    const started: string[] = [];
    const [first, second, third] = ['1', '2', '3'].map((name) => openTask(started, name));
    const results = [queue(1, first!.run), queue(1, second!.run)];
    await expect(queue(2, third!.run)).rejects.toMatchObject({ code: 'server_busy', status: 503 });
    first!.end();
    second!.end();
    await Promise.all(results);
    expect(started).toEqual(['1', '2']);
    await expect(queue(2, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await queue(2, async () => 7)).toBe(7);
  });

  it('lets a task that nobody waits for leave at once, and keeps the turns of the others', async () => {
    const queue = fairQueue({ concurrency: 1, waiting: 3, waitingOfOne: 2 });
    const started: string[] = [];
    const tasks = ['1a', '1b', '1c', '2a', '1d'].map((name) => openTask(started, name));
    const leaver = new AbortController();
    const results = tasks
      .slice(0, 4)
      .map(({ run }, at) => queue(at < 3 ? 1 : 2, run, at === 1 ? leaver.signal : undefined));
    leaver.abort(new Error('stopped'));
    await expect(results[1]).rejects.toThrow('stopped');
    results.push(queue(1, tasks[4]!.run));
    await expect(queue(2, tasks[1]!.run, leaver.signal)).rejects.toThrow('stopped');
    for (const { end } of tasks) {
      end();
      await settled();
    }
    await Promise.all(results.filter((_, at) => at !== 1));
    expect(started).toEqual(['1a', '1c', '2a', '1d']);
  });

  it('refuses those who have too many tasks in it, and takes the tasks of others', async () => {
    const queue = fairQueue({ concurrency: 1, waiting: 10, waitingOfOne: 2 });
    const started: string[] = [];
    const tasks = ['1a', '1b', '1c', '1d', '2a'].map((name) => openTask(started, name));
    const results = tasks.map(({ run }, at) => queue(at < 4 ? 1 : 2, run));
    for (const { end } of tasks) end();
    await expect(results[3]).rejects.toMatchObject({ code: 'server_busy' });
    await Promise.all(results.filter((_, at) => at !== 3));
    expect(started).toEqual(['1a', '1b', '2a', '1c']);
  });
});
