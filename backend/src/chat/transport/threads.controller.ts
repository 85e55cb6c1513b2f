import { pipeline } from 'node:stream/promises';
import {
  type Message,
  type Thread,
  THREAD_STATES,
  type ThreadBatchResult,
  type ThreadState,
  type ThreadSummary,
  type ThreadTrashed,
} from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { FileExport } from '../../files/file-export.js';
import { CurrentIdentity, SignedInGuard } from '../../identity/guards.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { IdPipe, smallIdIn } from '../../platform/http/id.pipe.js';
import type { Identity } from '../../identity/identity.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { pageCursor, pageLimit, searchWords, setNextCursor } from '../../platform/http/pagination.js';
import { SummariesService } from '../generation/summaries.service.js';
import { ReadLimits } from './read-limits.js';
import { parseCursor } from '../threads/thread-cursor.js';
import { type ExportedDocuments, exportName, jsonExport, markdownExport } from '../threads/thread-export.js';
import { ThreadBatches } from '../threads/thread-batches.js';
import { ThreadsService } from '../threads/threads.service.js';
import { ThreadBatchDto, UpdateThreadDto } from './threads.dto.js';

/** A batch moves many rows. Seconds. */
const BATCHES: RateLimit = { name: 'thread-batch', points: 120, window: 60 };

/** Threads and their messages. A guest can read their own thread, but has no list. */
@Controller('api/chat/threads')
export class ThreadsController {
  constructor(
    private readonly threads: ThreadsService,
    private readonly batches: ThreadBatches,
    private readonly limits: RateLimits,
    private readonly readLimits: ReadLimits,
    private readonly files: FileExport,
    private readonly summaries: SummariesService,
  ) {}

  @Get()
  @UseGuards(SignedInGuard)
  async list(
    @CurrentIdentity() identity: Identity,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Thread[]> {
    const words = searchWords(query.query);
    await this.readLimits.countList(identity, words !== '');
    const { threads, nextCursor } = await this.threads.list(identity.userId!, {
      query: words,
      state: stateOf(query.state),
      projectId: smallIdIn(query, 'projectId') ?? null,
      limit: pageLimit(query.limit),
      before: pageCursor(query.before, parseCursor),
    });
    setNextCursor(response, nextCursor);
    return threads;
  }

  /** One action on several threads. Threads that are absent or of another owner are skipped. */
  @Post('batch')
  @HttpCode(200)
  async batch(@CurrentIdentity() identity: Identity, @Body() body: ThreadBatchDto): Promise<ThreadBatchResult> {
    await this.limits.consume(BATCHES, identity.owner);
    return this.batches.run(identity, body);
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
    await this.readLimits.countPage(identity);
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
    await this.readLimits.countExport(identity);
    const { thread, slices } = await this.threads.conversation(identity.owner, id);
    const isJson = format === 'json';
    response.attachment(exportName(thread.title, isJson ? 'json' : 'md'));
    response.type(isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8');
    const documents: ExportedDocuments = {
      documents: (ids) => this.files.documents(identity.owner, ids),
      outlines: (ids) => this.files.outlines(identity.owner, ids),
    };
    const pieces = isJson ? jsonExport(thread, slices, documents) : markdownExport(thread.title, slices, documents);
    // The status is sent already: a failed query or a disconnect can only truncate the file.
    await pipeline(pieces, response).catch(() => response.destroy());
  }

  @Patch(':id')
  update(
    @CurrentIdentity() identity: Identity,
    @Param('id', IdPipe) id: number,
    @Body() body: UpdateThreadDto,
  ): Promise<Thread> {
    return this.threads.update(identity, id, body);
  }

  @Delete(':id')
  delete(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<ThreadTrashed> {
    return this.threads.delete(identity, id);
  }

  /** The summary that stands for the earlier messages of the shown path in prompts. */
  @Get(':id/summary')
  async summary(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<ThreadSummary> {
    await this.readLimits.countPage(identity);
    return this.summaries.get(identity.owner, id);
  }

  @Delete(':id/summary')
  undoSummary(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<void> {
    return this.summaries.undo(identity.owner, id);
  }

  @Post(':id/compact')
  @HttpCode(200)
  compact(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<ThreadSummary> {
    return this.summaries.compact(identity, id);
  }

  /** Takes a deletion back, within about ten seconds. */
  @Post(':id/restore')
  @HttpCode(200)
  restore(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<Thread> {
    return this.threads.restore(identity, id);
  }
}

/** @throws AppError `invalid` */
function stateOf(given: unknown): ThreadState | null {
  if (given === undefined) return null;
  const state = THREAD_STATES.find((each) => each === given);
  if (state === undefined) throw invalidField('state', `state must be one of: ${THREAD_STATES.join(', ')}`);
  return state;
}
