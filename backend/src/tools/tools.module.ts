import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { BuiltInTools } from './built-in/built-in-tools.js';
import { Calculator } from './built-in/calculator.js';
import { ReadPageTool } from './built-in/read-page.js';
import { WebSearchTool } from './built-in/web-search.js';
import { PageFetcher } from './pages/page-fetcher.js';
import { SearchHealthEntity } from './search/search-health.entity.js';
import { SearchHealth } from './search/search-health.js';
import { SearchController } from './search/search.controller.js';
import { WebSearchService } from './search/web-search.service.js';
import { ToolRateLimits } from './tool-rate-limits.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolsController } from './tools.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([SearchHealthEntity]), FilesModule, ModelsModule, SettingsModule],
  controllers: [ToolsController, SearchController],
  providers: [
    BuiltInTools,
    Calculator,
    PageFetcher,
    ReadPageTool,
    SearchHealth,
    ToolRateLimits,
    ToolRegistry,
    WebSearchService,
    WebSearchTool,
  ],
  exports: [ToolRegistry],
})
export class ToolsModule {}
