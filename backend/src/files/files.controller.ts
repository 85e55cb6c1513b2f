import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '@tanya/contract';
import { IMAGE_TYPES } from '@tanya/contract';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity } from '../platform/guards.js';
import type { Identity } from '../platform/identity.js';
import { contentDisposition } from './file-name.js';
import { FilesService } from './files.service.js';
import { dismissRest } from './multipart.js';

@Controller('api/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Post()
  async upload(
    @CurrentIdentity() identity: Identity,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StoredFile> {
    try {
      return await this.files.receive(identity, request);
    } finally {
      dismissRest(request, response);
    }
  }

  /** To its owner alone, as inert as headers can make it: only raster pictures are shown, the rest is downloaded. */
  @Get(':id')
  async download(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const { file, bytes } = await this.files.open(identity.owner, id);
    const type = IMAGE_TYPES.includes(file.type) ? 'inline' : 'attachment';
    // Straight to Node: Express would guess a charset.
    response.writeHead(200, {
      'Content-Type': file.type,
      'Content-Length': String(file.size),
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
