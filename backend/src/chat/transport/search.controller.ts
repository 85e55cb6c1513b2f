import { LIMITS, type SearchResult } from '@tanya/contract';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentIdentity, SignedInGuard } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { pageCursor, pageLimit, searchWords, setNextCursor } from '../../platform/http/pagination.js';
import { parseCursor } from '../threads/thread-cursor.js';
import { ThreadSearch } from '../threads/thread-search.js';
import { ReadLimits } from './read-limits.js';

@Controller('api/chat/search')
@UseGuards(SignedInGuard)
export class SearchController {
  constructor(
    private readonly threads: ThreadSearch,
    private readonly limits: ReadLimits,
  ) {}

  @Get()
  async search(
    @CurrentIdentity() identity: Identity,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SearchResult[]> {
    const words = searchWords(query.query);
    const page = {
      limit: Math.min(pageLimit(query.limit), LIMITS.searchResults),
      before: pageCursor(query.before, parseCursor),
    };
    if (words === '') return [];
    await this.limits.countSearch(identity);
    const { results, nextCursor } = await this.threads.search(identity.userId!, words, page);
    setNextCursor(response, nextCursor);
    return results;
  }
}
