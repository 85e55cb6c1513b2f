import { Worker } from 'node:worker_threads';
import { OUT_OF_MEMORY } from './extraction.js';

/** Heap of the thread that reads, and everything of this process together; a document that needs more is hostile. */
const HEAP_MEGABYTES = 512;
const MEMORY_LIMIT = 700 * 1024 * 1024;
const WATCH_INTERVAL = 50;

// Reads one document and ends. The work is done in a thread, so that this one is free to watch what it takes: buffers
// lie outside of any heap limit, and only a process that ends gives them back to the system.
process.once('disconnect', () => process.exit());
process.once('message', (task) => {
  const worker = new Worker(new URL('./extract.worker.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  setInterval(() => {
    if (process.memoryUsage.rss() > MEMORY_LIMIT) process.exit(OUT_OF_MEMORY);
  }, WATCH_INTERVAL);
  worker.once('message', (result) => process.send?.(result, () => process.exit()));
  worker.once('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? OUT_OF_MEMORY : 1),
  );
});
