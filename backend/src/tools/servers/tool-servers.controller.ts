import type { ToolServer, ToolServerDetails, ToolServerTestResult } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { SmallIdPipe } from '../../platform/http/id.pipe.js';
import { CreateToolServerDto, TestToolServerDto, UpdateToolServerDto } from './tool-servers.dto.js';
import { ToolServersService } from './tool-servers.service.js';

@Controller('api/admin/tool-servers')
@UseGuards(AdminGuard)
export class ToolServersController {
  constructor(private readonly servers: ToolServersService) {}

  @Get()
  list(): Promise<ToolServer[]> {
    return this.servers.list();
  }

  @Post()
  create(@Body() server: CreateToolServerDto): Promise<ToolServer> {
    return this.servers.create(server);
  }

  @Post('test')
  @HttpCode(200)
  test(@Body() request: TestToolServerDto): Promise<ToolServerTestResult> {
    return this.servers.test(request);
  }

  /** One server with the definitions of its tools. */
  @Get(':id')
  details(@Param('id', SmallIdPipe) id: number): Promise<ToolServerDetails> {
    return this.servers.details(id);
  }

  @Patch(':id')
  update(@Param('id', SmallIdPipe) id: number, @Body() changes: UpdateToolServerDto): Promise<ToolServer> {
    return this.servers.update(id, changes);
  }

  /** Lists the tools of the server again. */
  @Post(':id/refresh')
  @HttpCode(200)
  refresh(@Param('id', SmallIdPipe) id: number): Promise<ToolServer> {
    return this.servers.refresh(id);
  }

  @Delete(':id')
  delete(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.servers.delete(id);
  }
}
