import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Sandbox } from '../../platform/sandbox/sandbox.js';
import type { PageResult, PageTask } from './page-task.js';

const CONCURRENCY = 2;
const QUEUE_LIMIT = 20;
const TIMEOUT_MS = 20_000;

/** `overloaded`: too many pages wait; the page was not read. */
export type PageExtraction = PageResult | { problem: 'overloaded' };

/**
 * Extracts the text of web pages in a sandbox of their own, so that hostile pages do not delay uploads. A page that exhausts
 * the sandbox is `hostile`.
 */
@Injectable()
export class PageExtractor implements OnApplicationShutdown {
  private readonly sandbox = new Sandbox<PageTask, PageResult>({
    worker: new URL('./page.worker.js', import.meta.url),
    concurrency: CONCURRENCY,
    queueLimit: QUEUE_LIMIT,
    timeoutMs: TIMEOUT_MS,
  });

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  onApplicationShutdown(): void {
    this.sandbox.close();
  }

  async read(task: PageTask): Promise<PageExtraction> {
    const result = await this.sandbox.run(task);
    if (!('failure' in result)) return result;
    switch (result.failure) {
      case 'exhausted':
        return { problem: 'hostile' };
      case 'overloaded':
        return { problem: 'overloaded' };
      case 'crashed':
        this.logger.error({ err: result.reason }, 'page process crashed; reporting the page as unreadable');
        return { problem: 'broken' };
    }
  }
}
