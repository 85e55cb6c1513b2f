import { Worker } from 'node:worker_threads';
import { OUT_OF_MEMORY, type SandboxRequest } from './sandbox-request.js';

/** V8 heap of the worker thread. */
const HEAP_MEGABYTES = 512;
/** Resident memory of the process, bytes: buffers and native memory are outside the heap limit. */
const MAX_RESIDENT_BYTES = 700 * 1024 * 1024;
const WATCH_INTERVAL_MS = 50;

// The task runs in a worker thread, so that the main thread can measure memory while the task computes. The process
// runs one task and exits, which returns all of its memory to the system.
process.once('disconnect', () => process.exit());
process.once('message', ({ worker: module, task }: SandboxRequest) => {
  const worker = new Worker(new URL(module), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) process.exit(OUT_OF_MEMORY);
  }, WATCH_INTERVAL_MS);
  worker.once('message', (result) => process.send?.(result, () => process.exit()));
  worker.once('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? OUT_OF_MEMORY : 1),
  );
});
