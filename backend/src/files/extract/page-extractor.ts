import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { MemoryBudget } from '../../platform/sandbox/memory-budget.js';
import type { PageResult, PageTask } from './page-task.js';
import { type ReaderFailure, SandboxedReader } from './sandboxed-reader.js';

const TIMEOUT_MS = 20_000;

/** Resident memory of one process. */
export const PAGE_MEGABYTES = 384;

export type PageExtraction = PageResult | ReaderFailure;

/** Extracts the text of web pages in a sandbox. */
@Injectable()
export class PageExtractor extends SandboxedReader<PageTask, PageResult> {
  constructor(@Inject(LOGGER) logger: Logger, budget: MemoryBudget) {
    super({
      worker: new URL('./page.worker.js', import.meta.url),
      timeoutMs: TIMEOUT_MS,
      megabytes: PAGE_MEGABYTES,
      budget,
      logger,
      crashed: 'page process crashed; reporting the page as unreadable',
    });
  }
}
