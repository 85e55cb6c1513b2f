import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { filesTooLarge } from '../../platform/errors/error-body.js';
import { ImageEncoder } from '../images/image-encoder.js';
import { completeClaim, inspectFile } from '../inspection/file-inspection.js';
import { receiveUpload, type UploadBounds } from '../upload/multipart.js';
import { Staging } from '../upload/staging.js';

const tooLarge = (): AppError => filesTooLarge('image', LIMITS.logoBytes);

const BOUNDS: UploadBounds = { limitOf: () => LIMITS.logoBytes, tooLarge };

/** Receives the image of a logo and encodes it again, as every picture that others see. */
@Injectable()
export class LogoIntake {
  constructor(
    private readonly staging: Staging,
    private readonly images: ImageEncoder,
  ) {}

  /** @throws AppError `too_large` above 1 MB before or after encoding, `unsupported_type` for anything but a picture */
  async receive(request: IncomingMessage): Promise<{ bytes: Buffer; type: string }> {
    const { path, ...claim } = await receiveUpload(request, this.staging, BOUNDS);
    try {
      const { kind } = await inspectFile(path, await completeClaim(path, claim), LIMITS.logoBytes);
      if (kind.family !== 'image') throw new AppError('unsupported_type', { reason: 'image' });
      if ((await this.images.reencode(path, kind.type, 'guest')) > LIMITS.logoBytes) throw tooLarge();
      return { bytes: await readFile(path), type: kind.type };
    } finally {
      await this.staging.remove(path);
    }
  }
}
