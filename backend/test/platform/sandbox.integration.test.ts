import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { ImageResult, ImageTask } from '../../src/files/images/image-task.js';
import { Sandbox } from '../../src/platform/sandbox/sandbox.js';
import { PNG } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';

/** Process starts take long on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const worker = new URL('../../src/files/images/image.worker.js', import.meta.url);

/** A worker module that computes without end. */
const ENDLESS = "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); });";

const sandboxOf = (options: object = {}) =>
  new Sandbox<ImageTask, ImageResult>({ worker, concurrency: 1, queueLimit: 1, timeoutMs: 60_000, ...options });

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tanya-sandbox-'));
  await writeFile(join(folder, 'image'), PNG);
});

afterEach(() => rm(folder, { recursive: true }));

const task = (target: string) =>
  ({ source: join(folder, 'image'), target: join(folder, target), format: 'png' }) as const;

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
    const endless = new URL(`data:text/javascript,${encodeURIComponent(ENDLESS)}`);
    const sandbox = sandboxOf({ worker: endless, cpuMs: 100, timeoutMs: 10 * TEST_TIMEOUT_MS });
    expect(await sandbox.run(task('a'))).toEqual({ failure: 'exhausted' });
  },
  TEST_TIMEOUT_MS,
);

it(
  'kills its processes when it closes',
  async () => {
    const sandbox = sandboxOf();
    const running = sandbox.run(task('a'));
    await new Promise(setImmediate);
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
    const sandbox = sandboxOf({ keepAliveMs: TEST_TIMEOUT_MS });
    for (const target of ['a', 'b', 'c']) expect(await sandbox.run(task(target))).toEqual({ size: expect.any(Number) });
    expect(sandbox.processCount).toBe(1);
    sandbox.close();
    await waitUntil('the end of the process', () => sandbox.processCount === 0);
    expect(await sandbox.run(task('d'))).toEqual({ size: expect.any(Number) });
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
    });
  },
  TEST_TIMEOUT_MS,
);
