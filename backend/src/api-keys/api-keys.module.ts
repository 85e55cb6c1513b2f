/**
 * API keys of accounts: those that are shown once, with names and bounds, and the one that its owner can read again;
 * the look-up of the account of a key; rates of the calls of programs; what admins do with keys; names of keys for
 * reports.
 * Not here: what a key may spend (`budgets`), which calls take a key (`public-api`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { UsersModule } from '../users/users.module.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { AdminKeysController } from './admin-keys.controller.js';
import { ApiRates } from './api-rates.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyLookup } from './key-lookup.service.js';
import { ReadableKeyService } from './readable-key.service.js';

@Module({
  imports: [BudgetsModule, SettingsModule, UsersModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [ApiKeysController, AdminKeysController],
  providers: [ApiKeysService, ApiRates, KeyLookup, ReadableKeyService],
  exports: [ApiKeysService, ApiRates, KeyLookup],
})
export class ApiKeysModule {}
