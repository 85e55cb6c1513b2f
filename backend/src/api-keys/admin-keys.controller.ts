import type { AdminApiKey, CreatedApiKey } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { invalidField } from '../platform/errors/app-error.js';
import { csvHead, csvLines, sendCsvOfToday } from '../platform/http/csv.js';
import { MAX_SMALL_ID, SmallIdPipe } from '../platform/http/id.pipe.js';
import { pageCursor, pageLimit, searchWords, setNextCursor } from '../platform/http/pagination.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { CreateServiceKeyDto, LimitKeyDto } from './api-keys.dto.js';
import { ApiKeysService, type KeyListQuery } from './api-keys.service.js';

/** Files per admin: each can read all keys. Seconds. */
const FILES: RateLimit = { name: 'key-files', points: 10, window: 60 };

/** Keys of a piece of the file. */
const ROWS = 200;

const COLUMNS = [
  ...['id', 'name', 'user_id', 'username', 'is_service', 'scope', 'created_at', 'last_used_at', 'expires_at'],
  ...['message_cap', 'messages_used', 'budget_usd', 'spent_usd', 'models', 'requests_per_minute', 'tokens_per_minute'],
];

const idOf = (text: string): number | null =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_SMALL_ID ? Number(text) : null;

/** @throws AppError `invalid` */
function filterOf(query: Record<string, unknown>): Pick<KeyListQuery, 'userId' | 'query'> {
  const given = query['userId'];
  const userId = typeof given === 'string' ? idOf(given) : null;
  if (given !== undefined && userId === null) throw invalidField('userId', 'userId must be the id of an account');
  return { userId, query: searchWords(query['query']) };
}

/** The keys of all accounts, without their secrets, and the keys of service accounts. */
@Controller('api/admin')
@UseGuards(AdminGuard)
export class AdminKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
  ) {}

  @Get('keys')
  async list(
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminApiKey[]> {
    const before = pageCursor(query['before'], idOf);
    const { keys, next } = await this.keys.listAll({ ...filterOf(query), limit: pageLimit(query['limit']), before });
    setNextCursor(response, next);
    return keys;
  }

  @Get('keys.csv')
  async file(
    @CurrentIdentity() { owner }: Identity,
    @Query() query: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const filter = filterOf(query);
    await this.limits.consume(FILES, owner);
    await sendCsvOfToday(response, 'keys', this.linesOf(filter));
  }

  @Patch('keys/:id')
  limit(@Param('id', SmallIdPipe) id: number, @Body() limits: LimitKeyDto): Promise<AdminApiKey> {
    return this.keys.limit(id, limits);
  }

  @Delete('keys/:id')
  delete(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.keys.deleteAny(id);
  }

  @Post('users/:id/keys')
  create(@Param('id', SmallIdPipe) id: number, @Body() request: CreateServiceKeyDto): Promise<CreatedApiKey> {
    return this.keys.createForService(id, request);
  }

  private async *linesOf(filter: Pick<KeyListQuery, 'userId' | 'query'>): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    for (let before: number | null = null; ;) {
      const { keys, next }: Awaited<ReturnType<ApiKeysService['listAll']>> = await this.keys.listAll({
        ...filter,
        limit: ROWS,
        before,
      });
      if (keys.length > 0) yield csvLines(keys.map(cellsOf));
      if (next === null) return;
      before = next;
    }
  }
}

const cellsOf = (key: AdminApiKey): unknown[] => [
  ...[key.id, key.name, key.userId, key.username, key.isService, key.scope, key.createdAt, key.lastUsedAt],
  ...[key.expiresAt, key.messageCap, key.messagesUsed, key.budgetUsd, key.spentUsd, key.models?.join(' ')],
  ...[key.requestsPerMinute, key.tokensPerMinute],
];
