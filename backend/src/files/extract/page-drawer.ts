import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { MemoryBudget } from '../../platform/sandbox/memory-budget.js';
import type { PagePictures, PictureResult, PictureTask } from './picture-task.js';
import { SandboxedReader } from './sandboxed-reader.js';

const TIMEOUT_MS = 30_000;

/** Resident memory of one process. 20 pages of 300 dpi in colour took 276 MB, one of 600 dpi 137 MB. */
export const DRAWING_MEGABYTES = 512;

/** Draws pages of PDFs in a sandbox of its own, as the text of a document does not depend on its pictures. */
@Injectable()
export class PageDrawer extends SandboxedReader<PictureTask, PictureResult> {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    budget: MemoryBudget,
  ) {
    super({
      worker: new URL('./picture.worker.js', import.meta.url),
      timeoutMs: TIMEOUT_MS,
      megabytes: DRAWING_MEGABYTES,
      budget,
      // The image library is native code; it gets the pixels that were drawn, never the document.
      accessOf: ({ path, target }) => ({ reads: [path], writes: [target], hasAddons: true }),
      logger,
      crashed: 'drawing process crashed; storing no pictures of pages',
      fieldsOf: ({ pages }) => ({ pages: pages.length }),
    });
  }

  /** A failure is logged: the pages are left, and the text of the document stays. */
  async draw(task: PictureTask): Promise<PagePictures> {
    const result = await this.read(task);
    if ('drawn' in result) return result;
    this.logger.warn({ result, pages: task.pages.length }, 'pages not drawn; storing no pictures of them');
    return { drawn: [], left: task.pages, isBusy: result.problem === 'overloaded' };
  }
}
