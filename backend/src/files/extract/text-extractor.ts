import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/logging.js';
import type { ExtractionResult, ExtractionTask } from './extraction.js';

/** Documents that are read at once, and that wait for it. */
const CONCURRENT = 2;
const WAITING = 20;

const TIME_LIMIT = 30_000;
const HEAP_MEGABYTES = 512;

/** Buffers lie outside of a worker's heap and its limit, so the whole process is watched while one runs. */
const GROWTH_LIMIT = 768 * 1024 * 1024;
const WATCH_INTERVAL = 100;

/** What became of a document: `overloaded` is ours to bear, everything else lies in it. */
export type Extraction = ExtractionResult | { problem: 'overloaded' };

/**
 * Reads documents in threads of their own that can be killed, a few at a time, so that no document slows down or ends
 * the server.
 */
@Injectable()
export class TextExtractor implements OnApplicationShutdown {
  private readonly workers = new Set<Worker>();
  private readonly queue: (() => void)[] = [];
  private running = 0;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async read(task: ExtractionTask): Promise<Extraction> {
    if (this.running >= CONCURRENT) {
      if (this.queue.length >= WAITING) return { problem: 'overloaded' };
      await new Promise<void>((resolve) => this.queue.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await this.run(task);
    } finally {
      // The place goes on to the next in line, else it is free.
      const next = this.queue.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
  }

  private run(task: ExtractionTask): Promise<ExtractionResult> {
    const worker = new Worker(workerUrl(), {
      workerData: task,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    this.workers.add(worker);
    const start = process.memoryUsage.rss();
    const kill = () => void worker.terminate();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - start > GROWTH_LIMIT) kill();
    }, WATCH_INTERVAL);
    const deadline = setTimeout(kill, TIME_LIMIT);
    return new Promise<ExtractionResult>((resolve) => {
      worker.once('message', resolve);
      // Too slow, too large, or its heap is full: killed before it could answer.
      worker.once('exit', () => resolve({ problem: 'hostile' }));
      worker.once('error', (error) => {
        const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
        if (!isMemory) this.logger.error({ err: error, format: task.format }, 'a document ended its reader');
        resolve({ problem: isMemory ? 'hostile' : 'broken' });
      });
    }).finally(() => {
      clearInterval(watch);
      clearTimeout(deadline);
      this.workers.delete(worker);
      kill();
    });
  }
}

/** Threads run built files: from the sources, as in tests, it is the build beside them. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? '../../../dist/files/extract/extract.worker.js' : './extract.worker.js', import.meta.url);
}
