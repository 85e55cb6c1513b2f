/**
 * The page of the admins about accounts: list, file, changes, and each account with the use of its quota and budget.
 * Not here: rows of accounts and their rules (`users`), the second factor (`auth`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { UserEntity } from '../users/user.entity.js';
import { UsersModule } from '../users/users.module.js';
import { AdminUserView } from './admin-user-view.js';
import { UserCsvController } from './user-csv.controller.js';
import { UserListService } from './user-list.service.js';
import { UsersController } from './users.controller.js';

@Module({
  imports: [ApiKeysModule, QuotaModule, UsersModule, TypeOrmModule.forFeature([UserEntity])],
  controllers: [UsersController, UserCsvController],
  providers: [AdminUserView, UserListService],
  exports: [AdminUserView],
})
export class AdminUsersModule {}
