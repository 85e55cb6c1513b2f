import type { ImportedConversation, ImportStarted, ImportStatus } from '@tanya/contract';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentUserId, SignedInGuard } from '../identity/guards.js';
import { drainBody } from '../platform/http/drain-body.js';
import { UuidPipe } from '../platform/http/id.pipe.js';
import { pageCursor, pageLimit, setNextCursor } from '../platform/http/pagination.js';
import { ImportsService } from './imports.service.js';

const parsePosition = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

@Controller('api/user/import')
@UseGuards(SignedInGuard)
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Post()
  @HttpCode(202)
  async upload(@CurrentUserId() userId: number, @Req() request: Request): Promise<ImportStarted> {
    const id = await this.imports.start(userId, request);
    // Reads the bytes after the end of the form.
    await drainBody(request);
    return { id };
  }

  @Get()
  list(@CurrentUserId() userId: number): Promise<ImportStatus[]> {
    return this.imports.list(userId);
  }

  @Get(':id')
  status(@CurrentUserId() userId: number, @Param('id', UuidPipe) id: string): Promise<ImportStatus> {
    return this.imports.status(userId, id);
  }

  @Get(':id/conversations')
  async report(
    @CurrentUserId() userId: number,
    @Param('id', UuidPipe) id: string,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportedConversation[]> {
    const after = pageCursor(query.before, parsePosition) ?? 0;
    const page = await this.imports.report(userId, id, { after, limit: pageLimit(query.limit) });
    setNextCursor(response, page.nextCursor);
    return page.conversations;
  }

  @Delete(':id')
  async undo(@CurrentUserId() userId: number, @Param('id', UuidPipe) id: string): Promise<void> {
    await this.imports.undo(userId, id);
  }
}
