import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { AccountKeysController } from './account-keys.controller.js';
import { AccountKeys } from './account-keys.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyLookup } from './key-lookup.service.js';
import { KeyNames } from './key-names.service.js';

/** The API keys of accounts, the look-up of every key, and names for reports. */
@Module({
  imports: [UsersModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [AccountKeysController],
  providers: [AccountKeys, KeyLookup, KeyNames],
  exports: [KeyLookup, KeyNames],
})
export class ApiKeysModule {}
