/**
 * Accounts: rows, names, passwords, roles, access, the first admin; decorators of account fields; mails to people about
 * logins and changes of their account.
 * Not here: login, sessions and guests (`auth`), the page of the admins (`admin-users`).
 * - `deletion`: deletion of accounts by their owner or an admin, completed after a restart
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SettingsModule } from '../settings/settings.module.js';
import { AccountAccessService } from './account-access.service.js';
import { AccountNotices } from './account-notices.js';
import { AccountDeletion } from './deletion/account-deletion.js';
import { FirstAdminService } from './first-admin.service.js';
import { PasswordsService } from './passwords.service.js';
import { RolesService } from './roles.service.js';
import { UserEntity } from './user.entity.js';
import { UserLookup } from './user-lookup.service.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity]), SettingsModule],
  providers: [
    UsersService,
    UserLookup,
    AccountDeletion,
    AccountNotices,
    PasswordsService,
    RolesService,
    AccountAccessService,
    FirstAdminService,
  ],
  exports: [UsersService, UserLookup, AccountNotices, PasswordsService, RolesService, AccountAccessService],
})
export class UsersModule {}
