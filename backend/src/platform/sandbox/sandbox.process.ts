import { Worker } from 'node:worker_threads';
import { EXHAUSTED, type SandboxRequest } from './sandbox-request.js';

/** V8 heap of the worker thread. */
const HEAP_MEGABYTES = 512;
/** Resident memory of the process, bytes: buffers and native memory are outside the heap limit. */
const MAX_RESIDENT_BYTES = 700 * 1024 * 1024;
const WATCH_INTERVAL_MS = 50;

let worker: Worker | undefined;
let watch: NodeJS.Timeout | undefined;

// Tasks run in a worker thread, so that the main thread can measure memory and CPU time while a task computes.
process.once('disconnect', () => process.exit());
process.on('message', ({ worker: module, task, cpuMs = Infinity }: SandboxRequest) => {
  const before = process.cpuUsage();
  worker ??= startWorker(new URL(module));
  watch = setInterval(() => {
    const isOverLimit = process.memoryUsage.rss() > MAX_RESIDENT_BYTES || cpuMsSince(before) > cpuMs;
    if (isOverLimit) process.exit(EXHAUSTED);
  }, WATCH_INTERVAL_MS);
  worker.postMessage(task);
});

function startWorker(module: URL): Worker {
  const started = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
  started.on('message', (result: object) => {
    clearInterval(watch);
    process.send?.(result);
  });
  started.once('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? EXHAUSTED : 1),
  );
  return started;
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
