import { boundedQueue } from './bounded-queue.js';

/** A task that ends when the test says so. */
function openTask() {
  const task = { isStarted: false, end: () => undefined as void };
  const ended = new Promise<void>((resolve) => (task.end = resolve));
  const run = () => {
    task.isStarted = true;
    return ended;
  };
  return { task, run };
}

describe('boundedQueue', () => {
  it('refuses tasks beyond those that run and wait, also when all come at once', async () => {
    const queue = boundedQueue({ concurrency: 2, waiting: 3 });
    const tasks = Array.from({ length: 7 }, openTask);
    const outcomes = Promise.allSettled(tasks.map(({ run }) => queue(run)));
    for (const { task } of tasks) task.end();
    const settled = await outcomes;
    expect(settled.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected', 'rejected']);
    expect(settled[6]).toMatchObject({ reason: { code: 'server_busy', status: 503, retryAfter: 1 } });
    expect(tasks.map(({ task }) => task.isStarted)).toEqual([...Array(5).fill(true), false, false]);
  });

  it('takes tasks again after others have ended or failed', async () => {
    const queue = boundedQueue({ concurrency: 1, waiting: 0 });
    await expect(queue(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await queue(async () => 7)).toBe(7);
  });
});
