import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Sandbox } from '../../platform/sandbox/sandbox.js';
import type { ExtractionResult, ExtractionTask } from './extraction.js';

const CONCURRENCY = 2;
const QUEUE_LIMIT = 20;
const TIMEOUT_MS = 30_000;

/** `overloaded`: too many documents wait; the document was not read. */
export type Extraction = ExtractionResult | { problem: 'overloaded' };

/** Extracts the text of documents in a sandbox. A document that exhausts the sandbox is `hostile`. */
@Injectable()
export class TextExtractor implements OnApplicationShutdown {
  private readonly sandbox = new Sandbox<ExtractionTask, ExtractionResult>({
    worker: new URL('./document.worker.js', import.meta.url),
    concurrency: CONCURRENCY,
    queueLimit: QUEUE_LIMIT,
    timeoutMs: TIMEOUT_MS,
  });

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  onApplicationShutdown(): void {
    this.sandbox.close();
  }

  async read(task: ExtractionTask): Promise<Extraction> {
    const result = await this.sandbox.run(task);
    if (!('failure' in result)) return result;
    switch (result.failure) {
      case 'exhausted':
        return { problem: 'hostile' };
      case 'overloaded':
        return { problem: 'overloaded' };
      case 'crashed':
        this.logger.error({ err: result.reason, format: task.format }, 'document process crashed; storing no text');
        return { problem: 'broken' };
    }
  }
}
