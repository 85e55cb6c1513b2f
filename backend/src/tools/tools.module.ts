/**
 * The interface of a tool and the registry; arguments, results, rate limits.
 * Not here: when a call runs, its approval and its rows (`chat/generation`).
 * - `built-in`: the tools of the server itself
 * - `search`: search services of `web_search`: access to them, their tests and health
 * - `pages`: addresses and downloads of `read_page`
 * - `outbound`: bounded requests to other servers
 * - `servers`: MCP servers: registration, review of their tools, access, calls
 * - `mcp`: bounded MCP sessions over Streamable HTTP; sanitized definitions and results
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { ModelsModule } from '../models/models.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { BuiltInTools } from './built-in/built-in-tools.js';
import { Calculator } from './built-in/calculator.js';
import { ReadPageTool } from './built-in/read-page.js';
import { WebSearchTool } from './built-in/web-search.js';
import { McpSessions } from './mcp/mcp-sessions.js';
import { PageFetcher } from './pages/page-fetcher.js';
import { SearchHealthEntity } from './search/search-health.entity.js';
import { SearchHealth } from './search/search-health.js';
import { SearchController } from './search/search.controller.js';
import { WebSearchService } from './search/web-search.service.js';
import { ServerCaller } from './servers/server-caller.js';
import { ServerConnector } from './servers/server-connector.js';
import { ServerHealth } from './servers/server-health.js';
import { ServerToolEntity } from './servers/server-tool.entity.js';
import { ServerTools } from './servers/server-tools.js';
import { ToolListStore } from './servers/tool-list-store.js';
import { ToolServerEntity } from './servers/tool-server.entity.js';
import { ToolServersController } from './servers/tool-servers.controller.js';
import { ToolServersService } from './servers/tool-servers.service.js';
import { ToolRateLimits } from './tool-rate-limits.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolsController } from './tools.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SearchHealthEntity, ServerToolEntity, ToolServerEntity]),
    FilesModule,
    ModelsModule,
    SettingsModule,
  ],
  controllers: [ToolsController, SearchController, ToolServersController],
  providers: [
    BuiltInTools,
    Calculator,
    McpSessions,
    PageFetcher,
    ReadPageTool,
    SearchHealth,
    ServerCaller,
    ServerConnector,
    ServerHealth,
    ServerTools,
    ToolListStore,
    ToolRateLimits,
    ToolRegistry,
    ToolServersService,
    WebSearchService,
    WebSearchTool,
  ],
  exports: [ToolRegistry, ToolServersService],
})
export class ToolsModule {}
