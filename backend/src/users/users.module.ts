/**
 * Accounts: rows, names, passwords, roles, access, the first admin; the admins' list of users; decorators of account
 * fields.
 * Not here: login, sessions and guests (`auth`).
 * - `deletion`: deletion of accounts by their owner or an admin, completed after a restart
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SettingsModule } from '../settings/settings.module.js';
import { AccountAccessService } from './account-access.service.js';
import { AdminUserView } from './admin-user-view.js';
import { AccountDeletion } from './deletion/account-deletion.js';
import { FirstAdminService } from './first-admin.service.js';
import { PasswordsService } from './passwords.service.js';
import { RolesService } from './roles.service.js';
import { UserEntity } from './user.entity.js';
import { UserListService } from './user-list.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity]), SettingsModule],
  controllers: [UsersController],
  providers: [
    UsersService,
    AccountDeletion,
    UserListService,
    AdminUserView,
    PasswordsService,
    RolesService,
    AccountAccessService,
    FirstAdminService,
  ],
  exports: [UsersService, AdminUserView, PasswordsService, RolesService, AccountAccessService],
})
export class UsersModule {}
