/**
 * API keys of accounts: those that are shown once, with names and bounds, and the one that its owner can read again;
 * the look-up of the account of a key; names of keys for reports.
 * Not here: what a key may spend (`budgets`), which calls take a key (`public-api`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { UsersModule } from '../users/users.module.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyLookup } from './key-lookup.service.js';

@Module({
  imports: [BudgetsModule, UsersModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, KeyLookup],
  exports: [ApiKeysService, KeyLookup],
})
export class ApiKeysModule {}
