import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { type ExtractionResult, type ExtractionTask, OUT_OF_MEMORY } from './extraction.js';

/** Documents that are read at once, and that wait for it. */
const CONCURRENT = 2;
const WAITING = 20;

const TIME_LIMIT = 30_000;

/** What became of a document: `overloaded` is ours to bear, everything else lies in it. */
export type Extraction = ExtractionResult | { problem: 'overloaded' };

/**
 * Reads documents in processes of their own that can be killed, a few at a time, so that no document slows down or ends
 * the server, and all of its memory comes back.
 */
@Injectable()
export class TextExtractor implements OnApplicationShutdown {
  private readonly readers = new Set<ChildProcess>();
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

  onApplicationShutdown(): void {
    for (const reader of this.readers) reader.kill('SIGKILL');
  }

  private run(task: ExtractionTask): Promise<ExtractionResult> {
    const reader = fork(readerPath(), { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.readers.add(reader);
    const deadline = setTimeout(() => reader.kill('SIGKILL'), TIME_LIMIT);
    return new Promise<ExtractionResult>((resolve) => {
      reader.once('message', (result) => resolve(result as ExtractionResult));
      reader.on('error', (error) => resolve(this.failed(task, error)));
      reader.once('exit', (code) =>
        resolve(code === null || code === OUT_OF_MEMORY ? { problem: 'hostile' } : this.failed(task, { code })),
      );
      reader.send(task);
    }).finally(() => {
      clearTimeout(deadline);
      this.readers.delete(reader);
      reader.kill('SIGKILL');
    });
  }

  private failed({ format }: ExtractionTask, reason: unknown): ExtractionResult {
    this.logger.error({ err: reason, format }, 'a document ended its reader');
    return { problem: 'broken' };
  }
}

/** Processes run built files: from the sources, as in tests, it is the build beside them. */
function readerPath(): string {
  const isSource = import.meta.url.endsWith('.ts');
  const path = isSource ? '../../../dist/files/extract/extract.process.js' : './extract.process.js';
  return fileURLToPath(new URL(path, import.meta.url));
}
