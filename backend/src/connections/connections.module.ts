import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelsModule } from '../models/models.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ConnectionAccessService } from './connection-access.service.js';
import { ConnectionHealth } from './connection-health.js';
import { ConnectionTester } from './connection-tester.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsService } from './connections.service.js';
import { ProviderConnectionEntity } from './provider-connection.entity.js';

/** The connections to providers that admins manage. */
@Module({
  imports: [TypeOrmModule.forFeature([ProviderConnectionEntity]), SettingsModule, ModelsModule],
  controllers: [ConnectionsController],
  providers: [ConnectionsService, ConnectionAccessService, ConnectionHealth, ConnectionTester],
})
export class ConnectionsModule {}
