import { rename, rm } from 'node:fs/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { MemoryBudget } from '../../platform/sandbox/memory-budget.js';
import { Sandbox, type SandboxFailure } from '../../platform/sandbox/sandbox.js';
import { IMAGE_FORMATS, type ImageResult, type ImageTask } from './image-task.js';

export const IMAGE_SANDBOX = Symbol('IMAGE_SANDBOX');

export type ImageSandbox = Pick<Sandbox<ImageTask, ImageResult>, 'run' | 'close'>;

const MEGAPIXEL = 1_000_000;

/**
 * Pixels of an image, all frames together, and resident memory of its process, MB. Guests are unknown, so their images
 * may cost less. 30 megapixels took 490 MB in the most expensive format, a GIF of one frame; 100 megapixels took 660 MB as
 * a JPEG, and as such a GIF more than is allowed.
 */
export const IMAGE_BOUNDS = {
  guest: { maxPixels: 30 * MEGAPIXEL, megabytes: 512 },
  member: { maxPixels: 100 * MEGAPIXEL, megabytes: 704 },
} as const;

export type ImageSender = keyof typeof IMAGE_BOUNDS;

function needsOf(task: ImageTask): { megabytes: number; reads: string[]; writes: string[] } {
  if (task === null) return { megabytes: IMAGE_BOUNDS.guest.megabytes, reads: [], writes: [] };
  const { megabytes } = task.maxPixels > IMAGE_BOUNDS.guest.maxPixels ? IMAGE_BOUNDS.member : IMAGE_BOUNDS.guest;
  return { megabytes, reads: [task.source], writes: [task.target] };
}

export const createImageSandbox = (budget: MemoryBudget): ImageSandbox =>
  new Sandbox({
    worker: new URL('./image.worker.js', import.meta.url),
    // The image library is native code.
    needs: (task) => ({ ...needsOf(task), hasAddons: true }),
    budget,
    concurrency: 2,
    queueLimit: 20,
    timeoutMs: 30_000,
  });

type Failure = Exclude<ImageResult | SandboxFailure, { size: number }>;

const RETRY_AFTER_SECONDS = 5;

const UNAVAILABLE = 'image library failed to load; refusing image uploads';

/**
 * Re-encodes uploaded images in a sandbox; see `reencodeImage`. Where the image library cannot be loaded, image uploads are
 * refused: an image stored unchanged would keep metadata such as GPS coordinates.
 */
@Injectable()
export class ImageEncoder implements OnApplicationBootstrap, OnApplicationShutdown {
  private check: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(IMAGE_SANDBOX) private readonly sandbox: ImageSandbox,
    @Inject(TIMINGS) private readonly timings: Pick<Timings, 'imageCheck'>,
  ) {}

  /** Checks some seconds after the start whether the library can be loaded, and logs a failure. Never fails the start. */
  onApplicationBootstrap(): void {
    this.check = setTimeout(() => void this.checkLibrary(), this.timings.imageCheck).unref();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.check);
    this.sandbox.close();
  }

  /**
   * Replaces the image at `path` by its re-encoded copy.
   * @param type media type, one of `IMAGE_FORMATS`
   * @param isCheck whether the copy is only made to see that the image can be decoded
   * @returns bytes of the copy
   * @throws AppError `too_large` for too many pixels, `unsupported_type` for an image that cannot be decoded or exceeds
   * another bound, `rate_limited` when too many images wait, `internal` when the image library cannot be loaded
   */
  async reencode(path: string, type: string, sender: ImageSender, isCheck = false): Promise<number> {
    const { maxPixels } = IMAGE_BOUNDS[sender];
    const format = IMAGE_FORMATS[type as keyof typeof IMAGE_FORMATS];
    const target = `${path}.encoded`;
    try {
      const result = await this.sandbox.run({ source: path, target, format, maxPixels });
      if (!('size' in result)) throw this.refusal(result, type, maxPixels);
      if (!isCheck) await rename(target, path);
      return result.size;
    } finally {
      await rm(target, { force: true });
    }
  }

  private async checkLibrary(): Promise<void> {
    const result = await this.sandbox.run(null);
    if (!('size' in result) && !this.isClosed) this.logger.error({ result }, UNAVAILABLE);
  }

  private refusal(result: Failure, type: string, maxPixels: number): AppError {
    const kind = 'problem' in result ? result.problem : result.failure;
    switch (kind) {
      case 'unavailable':
        this.logger.error({ result }, UNAVAILABLE);
        return new AppError('internal', { reason: 'image' });
      case 'too-many-pixels':
        return tooManyPixels(maxPixels / MEGAPIXEL);
      case 'overloaded':
        return new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS });
      case 'crashed':
        this.logger.error({ result, type }, 'image process crashed; refusing the image');
        break;
      case 'invalid':
      case 'exhausted':
        this.logger.debug({ result, type }, 'image decoding failed; refusing the image');
    }
    return new AppError('unsupported_type', { reason: 'image' });
  }
}

function tooManyPixels(limit: number): AppError {
  return new AppError('too_large', { reason: 'pixels', params: { max: limit, limit, unit: 'megapixels' } });
}
