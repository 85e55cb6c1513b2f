import type { AdminUser, UserBatchResponse } from '@tanya/contract';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import { toAppError } from '../platform/errors/error-body.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { AdminGuard, CurrentIdentity, CurrentUserId } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { pageCursor, pageLimit, setNextCursor, TOTAL_HEADER } from '../platform/http/pagination.js';
import { presentFields } from '../platform/http/present-fields.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { UsageReset } from '../quota/usage-reset.js';
import { UsersService } from '../users/users.service.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { AccountNotices } from '../users/account-notices.js';
import { NewPasswordDto } from '../users/account-fields.js';
import { AdminUserView } from './admin-user-view.js';
import { userFilter, userSort } from './user-filter.js';
import { parseUserCursor, UserListService } from './user-list.service.js';
import { CreateUserDto, PremiumDto, UpdateUserDto, UserBatchDto } from './users.dto.js';

@Controller('api/admin/users')
@UseGuards(AdminGuard)
export class UsersController {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly users: UsersService,
    private readonly apiKeys: ApiKeysService,
    private readonly access: AccountAccessService,
    private readonly userList: UserListService,
    private readonly usage: UsageReset,
    private readonly views: AdminUserView,
    private readonly notices: AccountNotices,
  ) {}

  @Get()
  async list(
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminUser[]> {
    const sort = userSort(query);
    const filter = userFilter(query);
    const before = pageCursor(query.before, (text) => parseUserCursor(sort, text));
    const [{ users, nextCursor }, total] = await Promise.all([
      this.userList.page(filter, sort, pageLimit(query.limit), before),
      this.userList.count(filter),
    ]);
    setNextCursor(response, nextCursor);
    response.setHeader(TOTAL_HEADER, String(total));
    return this.views.viewsOf(users);
  }

  @Post()
  async create(@Body() user: CreateUserDto): Promise<AdminUser> {
    return this.views.viewOf(await this.users.create(user));
  }

  /**
   * Changes many accounts, each by itself: what one refuses leaves the others changed. A failure ends it; the answer then
   * names the accounts that were changed before.
   */
  @Post('batch')
  @HttpCode(200)
  async batch(@CurrentIdentity() caller: Identity, @Body() { ids, changes }: UserBatchDto): Promise<UserBatchResponse> {
    const answer: UserBatchResponse = { updated: [], failed: [] };
    for (const [index, id] of ids.entries()) {
      try {
        await this.ensureMayChange(caller, id);
        await this.users.update(id, presentFields(changes));
        answer.updated.push(id);
      } catch (error) {
        const { code, message, status } = toAppError(error);
        if (status < 500) {
          answer.failed.push({ id, code, message });
          continue;
        }
        if (answer.updated.length === 0) throw error;
        this.logger.error({ err: error, userId: id }, 'change of many accounts failed; leaving out the rest of them');
        answer.failed.push(...ids.slice(index).map((left) => ({ id: left, code, message })));
        break;
      }
    }
    return answer;
  }

  @Patch(':id')
  async update(
    @Param('id', SmallIdPipe) id: number,
    @CurrentIdentity() caller: Identity,
    @CurrentUserId() ownId: number,
    @Body() changes: UpdateUserDto,
  ): Promise<AdminUser> {
    await this.ensureMayChange(caller, id);
    if (id === ownId) await this.ensureKeepsCredentials(id, changes);
    const before = await this.users.get(id);
    if (changes.password !== undefined)
      this.access.ensureMayUsePassword({ isAdmin: changes.isAdmin ?? before.isAdmin });
    const user = await this.users.update(id, presentFields(changes));
    // At the address before the change: another one could be the admin's.
    if (changes.password !== undefined) this.notices.tell(id, { kind: 'password', byAdmin: true }, before.email);
    if (user.email !== before.email) this.notices.tell(id, { kind: 'email', byAdmin: true }, before.email);
    return this.views.viewOf(user);
  }

  @Patch(':id/premium')
  async setPremium(
    @Param('id', SmallIdPipe) id: number,
    @CurrentIdentity() caller: Identity,
    @Body() { isPremium }: PremiumDto,
  ): Promise<AdminUser> {
    await this.ensureMayChange(caller, id);
    return this.views.viewOf(await this.users.update(id, { isPremium }));
  }

  @Post(':id/reset-password')
  @HttpCode(200)
  async resetPassword(
    @Param('id', SmallIdPipe) id: number,
    @CurrentUserId() ownId: number,
    @Body() { newPassword: password, endApiKeys = false }: NewPasswordDto,
  ): Promise<AdminUser> {
    if (id === ownId) throw ownCredentials();
    this.access.ensureMayUsePassword(await this.users.get(id));
    const user = await this.apiKeys.endIf(endApiKeys, id, (alongside) =>
      this.users.update(id, { password }, alongside),
    );
    this.notices.tell(id, { kind: 'password', byAdmin: true });
    return this.views.viewOf(user);
  }

  /** Gives an account its whole quota and budget of the current period back. Messages that are being answered stay held. */
  @Post(':id/reset-usage')
  @HttpCode(200)
  async resetUsage(@Param('id', SmallIdPipe) id: number, @CurrentIdentity() caller: Identity): Promise<AdminUser> {
    await this.ensureMayChange(caller, id);
    await this.usage.reset(id);
    return this.views.viewOf(await this.users.get(id));
  }

  @Delete(':id')
  async delete(
    @Param('id', SmallIdPipe) id: number,
    @CurrentIdentity() caller: Identity,
    @CurrentUserId() ownId: number,
  ): Promise<void> {
    await this.ensureMayChange(caller, id);
    if (id === ownId) {
      await this.users.requireAnotherAdmin(id);
      throw new AppError('conflict', { reason: 'own_account' });
    }
    await this.users.remove(id);
  }

  /** A program changes no admin. @throws AppError `forbidden` */
  private async ensureMayChange({ adminKey }: Identity, id: number): Promise<void> {
    if (adminKey !== undefined && (await this.users.get(id)).isAdmin)
      throw new AppError('forbidden', { reason: 'admin_key' });
  }

  /** The account settings ask for the current password. Here a stolen session could take the account over without it. */
  private async ensureKeepsCredentials(id: number, { password, email }: UpdateUserDto): Promise<void> {
    const changesEmail = email !== undefined && email !== (await this.users.get(id)).email;
    if (password !== undefined || changesEmail) throw ownCredentials();
  }
}

const ownCredentials = () => new AppError('conflict', { reason: 'own_credentials' });
