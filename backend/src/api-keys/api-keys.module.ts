import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { AccountKeysController } from './account-keys.controller.js';
import { AccountKeys } from './account-keys.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyLookup } from './key-lookup.service.js';

/** The API keys of accounts, and the look-up of every key. */
@Module({
  imports: [UsersModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [AccountKeysController],
  providers: [AccountKeys, KeyLookup],
  exports: [KeyLookup],
})
export class ApiKeysModule {}
