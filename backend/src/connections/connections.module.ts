/**
 * Connections to providers, which admins manage: list, tests, health; keys and addresses, sealed when stored and
 * masked when shown. They configure the registry of providers.
 * Not here: how a provider is called (`providers`), models imported from it (`models`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelsModule } from '../models/models.module.js';
import { ConnectionAccess } from './connection-access.js';
import { ConnectionHealth } from './connection-health.js';
import { ConnectionTester } from './connection-tester.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsService } from './connections.service.js';
import { ProviderConnectionEntity } from './provider-connection.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ProviderConnectionEntity]), ModelsModule],
  controllers: [ConnectionsController],
  providers: [ConnectionsService, ConnectionAccess, ConnectionHealth, ConnectionTester],
  exports: [ConnectionsService],
})
export class ConnectionsModule {}
