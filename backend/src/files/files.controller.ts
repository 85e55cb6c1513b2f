import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '@tanya/contract';
import { IMAGE_TYPES } from '@tanya/contract';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import { CurrentIdentity } from '../platform/session/guards.js';
import type { Identity } from '../platform/session/identity.js';
import { discardRest } from '../platform/http/unread-body.js';
import { requestedRange } from './byte-range.js';
import { contentDisposition } from './file-name.js';
import { FilesService } from './files.service.js';

@Controller('api/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Post()
  async upload(@CurrentIdentity() identity: Identity, @Req() request: Request): Promise<StoredFile> {
    const file = await this.files.receive(identity, request);
    // What stands behind the form's end.
    await discardRest(request);
    return file;
  }

  /**
   * To its owner alone, as inert as headers can make it: only raster pictures are shown, the rest is downloaded. In parts
   * where a player seeks or a download goes on.
   */
  @Get(':id')
  async download(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.find(identity.owner, id);
    // The bytes of a file never change.
    const etag = `"${file.id}"`;
    const range = requestedRange(request, file.size, etag);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      throw new AppError('range_unsatisfiable');
    }
    const bytes = await this.files.read(file, range ?? undefined);
    const type = IMAGE_TYPES.includes(file.type) ? 'inline' : 'attachment';
    // Straight to Node: Express would guess a charset.
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
    // A reader who leaves ends the stream; there is nobody left to tell.
    await pipeline(bytes, response).catch(() => response.destroy());
  }
}
