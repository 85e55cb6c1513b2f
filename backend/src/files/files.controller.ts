import type { StoredFile } from '@tanya/contract';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { drainBody } from '../platform/http/drain-body.js';
import { sendFile } from './file-response.js';
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

  /** Sends a file to its owner. */
  @Get(':id')
  async download(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.find(identity.owner, id);
    await sendFile(request, response, file, (range) => this.files.read(file, range));
  }
}
