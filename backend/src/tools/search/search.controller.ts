import type { SearchStatus, SearchTestResult } from '@tanya/contract';
import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { SearchFieldsDto } from '../../settings/settings.dto.js';
import { WebSearchService } from './web-search.service.js';

@Controller('api/admin/search')
@UseGuards(AdminGuard)
export class SearchController {
  constructor(private readonly search: WebSearchService) {}

  @Get()
  status(): Promise<SearchStatus> {
    return this.search.status();
  }

  @Post('test')
  @HttpCode(200)
  test(@Body() request: SearchFieldsDto): Promise<SearchTestResult> {
    return this.search.test(request);
  }
}
