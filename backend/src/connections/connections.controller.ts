import type { Catalogue, ConnectionTestResult, ProviderConnection } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../identity/guards.js';
import { ModelCatalogue } from '../models/model-catalogue.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { ConnectionTester } from './connection-tester.js';
import { CreateConnectionDto, TestConnectionDto, UpdateConnectionDto } from './connections.dto.js';
import { ConnectionsService } from './connections.service.js';

@Controller('api/admin/connections')
@UseGuards(AdminGuard)
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly tester: ConnectionTester,
    private readonly catalogue: ModelCatalogue,
  ) {}

  @Get()
  list(): Promise<ProviderConnection[]> {
    return this.connections.list();
  }

  @Post()
  create(@Body() connection: CreateConnectionDto): Promise<ProviderConnection> {
    return this.connections.create(connection);
  }

  @Post('test')
  @HttpCode(200)
  test(@Body() request: TestConnectionDto): Promise<ConnectionTestResult> {
    return this.tester.test(request);
  }

  @Patch(':id')
  update(@Param('id', SmallIdPipe) id: number, @Body() changes: UpdateConnectionDto): Promise<ProviderConnection> {
    return this.connections.update(id, changes);
  }

  @Delete(':id')
  delete(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.connections.delete(id);
  }

  /** Forgets how requests are changed for its server: the next ones are sent as they are. */
  @Delete(':id/adaptations')
  forgetAdaptations(@Param('id', SmallIdPipe) id: number): Promise<ProviderConnection> {
    return this.connections.forgetAdaptations(id);
  }

  /** The models that the connection lists, for the import. */
  @Get(':id/models')
  async models(@Param('id', SmallIdPipe) id: number): Promise<Catalogue> {
    await this.connections.requireCatalogue(id);
    return this.catalogue.read(id);
  }
}
