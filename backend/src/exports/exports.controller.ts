import type { DataExport, DataExportStarted } from '@tanya/contract';
import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CredentialsService } from '../auth/credentials.service.js';
import { sendFile } from '../files/file-response.js';
import { CurrentUserId, SignedInGuard } from '../identity/guards.js';
import { UuidPipe } from '../platform/http/id.pipe.js';
import { KnownPasswordDto } from '../users/account-fields.js';
import { ExportsService } from './exports.service.js';

@Controller('api/user')
@UseGuards(SignedInGuard)
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly credentials: CredentialsService,
  ) {}

  /** Begins an export of everything. A refused one does not count for the limit of a day. */
  @Post('export')
  @HttpCode(202)
  async start(
    @CurrentUserId() userId: number,
    @Req() request: Request,
    @Body() { password }: KnownPasswordDto,
  ): Promise<DataExportStarted> {
    await this.credentials.confirm(request, password);
    return { id: await this.exports.start(userId) };
  }

  @Get('exports')
  list(@CurrentUserId() userId: number): Promise<DataExport[]> {
    return this.exports.list(userId);
  }

  @Get('export/:id')
  status(@CurrentUserId() userId: number, @Param('id', UuidPipe) id: string): Promise<DataExport> {
    return this.exports.status(userId, id);
  }

  @Get('export/:id/file')
  async download(
    @CurrentUserId() userId: number,
    @Param('id', UuidPipe) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { bytes, read } = await this.exports.open(userId, id);
    const file = { id, size: bytes, type: 'application/zip', name: `tanya-export-${id.slice(0, 8)}.zip` };
    await sendFile(request, response, file, read);
  }
}
