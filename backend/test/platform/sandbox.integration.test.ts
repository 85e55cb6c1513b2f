import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { ImageResult, ImageTask } from '../../src/files/images/image-task.js';
import { MemoryBudget } from '../../src/platform/sandbox/memory-budget.js';
import { Sandbox } from '../../src/platform/sandbox/sandbox.js';
import { PNG } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';

/** Process starts take long on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const worker = new URL('../../src/files/images/image.worker.js', import.meta.url);

const MEGABYTES = 256;

const budget = new MemoryBudget();

const sandboxOf = (options: object = {}) =>
  new Sandbox<ImageTask, ImageResult>({
    worker,
    needs: (image) => ({
      megabytes: MEGABYTES,
      reads: image === null ? [] : [image.source],
      writes: image === null ? [] : [image.target],
      hasAddons: true,
    }),
    budget,
    concurrency: 1,
    queueLimit: 1,
    timeoutMs: 60_000,
    ...options,
  });

interface GreedyTask {
  kept?: number[];
  endless?: boolean;
  megabytes?: number;
  heap?: boolean;
}

/** Tasks that take time and memory. */
const greedySandbox = (options: object = {}) =>
  new Sandbox<GreedyTask, { held: number }>({
    worker: new URL('./greedy.worker.mjs', import.meta.url),
    needs: () => ({ megabytes: MEGABYTES }),
    budget,
    concurrency: 2,
    queueLimit: 1,
    timeoutMs: 60_000,
    ...options,
  });

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tanya-sandbox-'));
  await writeFile(join(folder, 'image'), PNG);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  await waitUntil('the return of all shares', () => budget.used === 0);
});

const task = (target: string) =>
  ({ source: join(folder, 'image'), target: join(folder, target), format: 'png', maxPixels: 1_000 }) as const;

it(
  'returns the result of a task',
  async () => {
    expect(await sandboxOf().run(task('a'))).toEqual({ size: expect.any(Number) });
    expect(await readdir(folder)).toEqual(['a', 'image']);
  },
  TEST_TIMEOUT_MS,
);

it(
  'refuses tasks beyond its concurrency and its queue (UP-8)',
  async () => {
    const sandbox = sandboxOf();
    const results = await Promise.all([sandbox.run(task('a')), sandbox.run(task('b')), sandbox.run(task('c'))]);
    expect(results).toEqual([{ size: expect.any(Number) }, { size: expect.any(Number) }, { failure: 'overloaded' }]);
    expect(await sandbox.run(task('d'))).toEqual({ size: expect.any(Number) });
  },
  TEST_TIMEOUT_MS,
);

it(
  'kills a process at its timeout, and goes on with the next task (UP-8)',
  async () => {
    const sandbox = sandboxOf({ timeoutMs: 1 });
    expect(await Promise.all([sandbox.run(task('a')), sandbox.run(task('b'))])).toEqual([
      { failure: 'exhausted' },
      { failure: 'exhausted' },
    ]);
    expect(await readdir(folder)).toEqual(['image']);
  },
  TEST_TIMEOUT_MS,
);

it(
  'ends a process at its limit of CPU time (TOOL-2)',
  async () => {
    const sandbox = greedySandbox({ cpuMs: 100, timeoutMs: 10 * TEST_TIMEOUT_MS });
    expect(await sandbox.run({ endless: true })).toEqual({ failure: 'exhausted' });
  },
  TEST_TIMEOUT_MS,
);

it.each(['buffers', 'heap'])(
  'ends a process at its limit of memory: %s (UP-8)',
  async (kind) => {
    const sandbox = greedySandbox();
    const heap = kind === 'heap';
    expect(await sandbox.run({ megabytes: 32, heap })).toEqual({ held: 32 });
    expect(await sandbox.run({ megabytes: 4 * MEGABYTES, heap })).toEqual({ failure: 'exhausted' });
  },
  TEST_TIMEOUT_MS,
);

it(
  'gives what a process has kept when it is exhausted, else its result (UP-8)',
  async () => {
    // Time enough to start and to keep something on a slow machine.
    const sandbox = greedySandbox({ cpuMs: 2_000, timeoutMs: 10 * TEST_TIMEOUT_MS });
    expect(await sandbox.run({ kept: [7, 8], endless: true })).toEqual({ held: 8 });
    expect(await greedySandbox().run({ kept: [7], megabytes: 1 })).toEqual({ held: 1 });
  },
  TEST_TIMEOUT_MS,
);

it(
  'starts a process when another one has returned its memory, and ends idle ones for it (UP-8)',
  async () => {
    const small = new MemoryBudget(1.5 * MEGABYTES);
    const idle = greedySandbox({ budget: small, keepAliveMs: TEST_TIMEOUT_MS });
    expect(await idle.run({})).toEqual({ held: 0 });
    expect([idle.processCount, small.used]).toEqual([1, MEGABYTES]);
    const sandbox = greedySandbox({ budget: small });
    const shares: number[] = [];
    const results = await Promise.all(
      [{ megabytes: 1 }, { megabytes: 2 }].map(async (greedy) => {
        const result = await sandbox.run(greedy);
        shares.push(small.used);
        return result;
      }),
    );
    expect(results).toEqual([{ held: 1 }, { held: 2 }]);
    expect(Math.max(...shares)).toBe(MEGABYTES);
    expect(idle.processCount).toBe(0);
    await waitUntil('the return of all shares', () => small.used === 0);
  },
  TEST_TIMEOUT_MS,
);

it(
  'lets a process reach its own files alone, and no network, process or thread (UP-11)',
  async () => {
    const requests: string[] = [];
    const listener = createServer((request, response) => response.end(requests.push(request.url!)));
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    const task = { own: join(folder, 'image'), target: join(folder, 'target'), other: join(folder, 'other'), port };
    await writeFile(task.other, 'unchanged');
    const sandbox = new Sandbox<typeof task, { results: Record<string, string> }>({
      worker: new URL('./reach.worker.mjs', import.meta.url),
      needs: ({ own, target }) => ({ megabytes: MEGABYTES, reads: [own], writes: [target] }),
      budget,
      concurrency: 1,
      queueLimit: 1,
      timeoutMs: 60_000,
    });
    const { results } = (await sandbox.run(task)) as { results: Record<string, string> };
    const denied = 'ERR_ACCESS_DENIED';
    const offline = 'this process has no network';
    expect(results).toEqual({
      readsItsFile: 'done',
      writesItsFile: 'done',
      readsAnotherFile: denied,
      writesAnotherFile: denied,
      readsTheEnvironmentOfTheServer: denied,
      readsItsMemory: denied,
      startsAProcess: denied,
      startsAThread: denied,
      loadsNativeCode: 'ERR_DLOPEN_DISABLED',
      bindsInternals: denied,
      signalsTheServer: 'process.kill is not a function',
      opensItsDebugger: 'process._debugProcess is not a function',
      connects: offline,
      requests: offline,
      fetches: 'fetch is not defined',
      listens: offline,
      sends: offline,
      asksNames: offline,
      resolves: offline,
      resolvesApart: offline,
    });
    expect(requests).toEqual([]);
    expect(await readFile(task.other, 'utf8')).toBe('unchanged');
    listener.close();
  },
  TEST_TIMEOUT_MS,
);

it(
  'kills its processes when it closes',
  async () => {
    const sandbox = sandboxOf();
    const running = sandbox.run(task('a'));
    await waitUntil('the start of the process', () => sandbox.processCount === 1);
    sandbox.close();
    expect(await running).toEqual({ failure: 'exhausted' });
  },
  TEST_TIMEOUT_MS,
);

it(
  'gives each task a process of its own',
  async () => {
    const sandbox = sandboxOf();
    await sandbox.run(task('a'));
    expect(sandbox.processCount).toBe(0);
  },
  TEST_TIMEOUT_MS,
);

it(
  'runs further tasks in a process that it keeps',
  async () => {
    const sandbox = greedySandbox({ keepAliveMs: TEST_TIMEOUT_MS });
    for (const held of [1, 2, 3]) expect(await sandbox.run({ megabytes: 1 })).toEqual({ held });
    expect(sandbox.processCount).toBe(1);
    sandbox.close();
    await waitUntil('the end of the process', () => sandbox.processCount === 0);
    expect(await sandbox.run({ megabytes: 1 })).toEqual({ held: 1 });
    sandbox.close();
  },
  TEST_TIMEOUT_MS,
);

it(
  'ends a process that gets no further task',
  async () => {
    const sandbox = sandboxOf({ keepAliveMs: 1 });
    await sandbox.run(task('a'));
    await waitUntil('the end of the process', () => sandbox.processCount === 0);
  },
  TEST_TIMEOUT_MS,
);

it(
  'reports a crash of its process',
  async () => {
    const sandbox = sandboxOf({ worker: new URL('../../src/files/images/missing.worker.js', import.meta.url) });
    expect(await sandbox.run(null)).toMatchObject({ failure: 'crashed', reason: { code: 1 } });
  },
  TEST_TIMEOUT_MS,
);

it(
  'reports processes that do not start for lack of file descriptors, and the server survives',
  async () => {
    const script = join(import.meta.dirname, 'without-descriptors.mjs');
    // Detached: a signal to its process group ends this process alone.
    const child = spawn('bash', ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await json(child.stdout)).toEqual({
      task: { failure: 'crashed', reason: expect.objectContaining({ code: 'EMFILE' }) },
      opened: 'EMFILE',
      processes: 0,
      used: 0,
    });
  },
  TEST_TIMEOUT_MS,
);
