import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyLookup } from './key-lookup.service.js';

/** The API keys of accounts, and the look-up of the account of a key. */
@Module({
  imports: [UsersModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, KeyLookup],
  exports: [ApiKeysService, KeyLookup],
})
export class ApiKeysModule {}
