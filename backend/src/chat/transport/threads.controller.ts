import type { Message, Thread } from '@tanya/contract';
import { LIMITS } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Patch, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentIdentity, SignedInGuard } from '../../identity/guards.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { IdPipe } from '../../platform/http/id.pipe.js';
import type { Identity } from '../../identity/identity.js';
import { pageCursor, pageLimit, setNextCursor } from '../../platform/http/pagination.js';
import { UpdateThreadDto } from './chat.dto.js';
import { parseCursor } from '../threads/thread-cursor.js';
import { exportName, toMarkdown } from '../threads/thread-export.js';
import { ThreadsService } from '../threads/threads.service.js';

/** Threads and their messages. A guest can read their own thread, but has no list. */
@Controller('api/chat/threads')
export class ThreadsController {
  constructor(private readonly threads: ThreadsService) {}

  @Get()
  @UseGuards(SignedInGuard)
  async list(
    @CurrentIdentity() identity: Identity,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Thread[]> {
    const limit = pageLimit(query.limit);
    const search = typeof query.query === 'string' ? query.query.trim().slice(0, LIMITS.searchQuery) : '';
    const before = pageCursor(query.before, parseCursor);
    const { threads, nextCursor } = await this.threads.list(identity.userId!, { query: search, limit, before });
    setNextCursor(response, nextCursor);
    return threads;
  }

  @Get(':id')
  thread(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<Thread> {
    return this.threads.thread(identity.owner, id);
  }

  @Get(':id/messages')
  async messages(
    @CurrentIdentity() identity: Identity,
    @Param('id', IdPipe) id: number,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Message[]> {
    const before = pageCursor(query.before, (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null));
    const page = await this.threads.conversationPage(identity.owner, id, { limit: pageLimit(query.limit), before });
    setNextCursor(response, page.nextCursor);
    return page.messages;
  }

  @Get(':id/export')
  async export(
    @CurrentIdentity() identity: Identity,
    @Param('id', IdPipe) id: number,
    @Query('format') format: unknown,
    @Res() response: Response,
  ): Promise<void> {
    if (format !== undefined && format !== 'md' && format !== 'json')
      throw invalidField('format', 'format must be md or json');
    const { title, messages } = await this.threads.conversation(identity.owner, id);
    response.attachment(exportName(title, format === 'json' ? 'json' : 'md'));
    if (format === 'json') response.json({ title, messages });
    else response.type('text/markdown; charset=utf-8').send(toMarkdown(title, messages));
  }

  @Patch(':id')
  update(
    @CurrentIdentity() identity: Identity,
    @Param('id', IdPipe) id: number,
    @Body() body: UpdateThreadDto,
  ): Promise<Thread> {
    return this.threads.update(identity.owner, id, body);
  }

  @Delete(':id')
  async delete(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<void> {
    await this.threads.delete(identity.owner, id);
  }
}
