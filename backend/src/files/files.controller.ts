import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '@tanya/contract';
import { IMAGE_TYPES } from '@tanya/contract';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { drainBody } from '../platform/http/drain-body.js';
import { requestedRange } from './byte-range.js';
import { contentDisposition } from './file-name.js';
import { FilesService } from './files.service.js';

@Controller('api/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Post()
  async upload(@CurrentIdentity() identity: Identity, @Req() request: Request): Promise<StoredFile> {
    const file = await this.files.receive(identity, request);
    // Reads the bytes after the end of the form.
    await drainBody(request);
    return file;
  }

  /**
   * Sends a file to its owner, whole or one byte range. Only raster images are shown inline; other files are downloads.
   * The headers prevent scripts, sniffing and caching.
   */
  @Get(':id')
  async download(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.find(identity.owner, id);
    // The contents of a file never change.
    const etag = `"${file.id}"`;
    const range = requestedRange(request, file.size, etag);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      throw new AppError('range_unsatisfiable');
    }
    const bytes = await this.files.read(file, range ?? undefined);
    const type = IMAGE_TYPES.includes(file.type) ? 'inline' : 'attachment';
    // `writeHead` instead of Express, which would add a charset to the type.
    response.writeHead(range === null ? 200 : 206, {
      'Content-Type': file.type,
      'Content-Length': String(range === null ? file.size : range.end - range.start + 1),
      ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` }),
      'Accept-Ranges': 'bytes',
      ETag: etag,
      'Content-Disposition': contentDisposition(type, file.name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    // The client closed the connection, or the store failed after the head was sent.
    await pipeline(bytes, response).catch(() => response.destroy());
  }
}
