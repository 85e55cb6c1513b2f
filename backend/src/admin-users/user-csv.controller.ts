import type { AdminUser } from '@tanya/contract';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { GroupsService } from '../access/groups.service.js';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { csvHead, csvLines, sendCsvOfToday } from '../platform/http/csv.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AdminUserView } from './admin-user-view.js';
import { userFilter, type UserListFilter } from './user-filter.js';
import { parseUserCursor, type UserCursor, UserListService } from './user-list.service.js';

/** Files per admin: each can read all accounts. Seconds. */
const FILES: RateLimit = { name: 'user-files', points: 10, window: 60 };

/** Accounts of a piece of the file. */
const ROWS = 200;

const COLUMNS = [
  ...['id', 'username', 'full_name', 'email', 'phone_number', 'plan', 'is_admin', 'is_service', 'is_approved'],
  ...['is_suspended', 'must_change_password', 'has_second_factor', 'groups', 'messages', 'messages_of_period'],
  ...['message_limit', 'spent_usd', 'budget_usd', 'created_at', 'last_seen_at'],
];

@Controller('api/admin')
@UseGuards(AdminGuard)
export class UserCsvController {
  constructor(
    private readonly userList: UserListService,
    private readonly views: AdminUserView,
    private readonly groups: GroupsService,
    private readonly limits: RateLimits,
  ) {}

  @Get('users.csv')
  async file(
    @CurrentIdentity() { owner }: Identity,
    @Query() query: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const filter = userFilter(query);
    await this.limits.consume(FILES, owner);
    await sendCsvOfToday(response, 'users', this.linesOf(filter));
  }

  /** From the newest account to the oldest, in pieces. */
  private async *linesOf(filter: UserListFilter): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    const groupNames = new Map((await this.groups.list()).map(({ id, name }) => [id, name]));
    let before: UserCursor | null = null;
    do {
      const { users, nextCursor }: Awaited<ReturnType<UserListService['page']>> = await this.userList.page(
        filter,
        'newest',
        ROWS,
        before,
      );
      if (users.length > 0) yield csvLines((await this.views.viewsOf(users)).map((user) => cellsOf(user, groupNames)));
      // Fewer accounts than asked for: one was deleted meanwhile.
      before = nextCursor === null ? null : parseUserCursor('newest', nextCursor);
    } while (before !== null);
  }
}

const cellsOf = (user: AdminUser, groupNames: ReadonlyMap<number, string>): unknown[] => [
  ...[user.id, user.username, user.fullName, user.email, user.phoneNumber, user.isPremium ? 'premium' : 'free'],
  ...[user.isAdmin, user.isService, user.isApproved, user.isSuspended, user.mustChangePassword, user.hasTotp],
  user.groupIds.flatMap((id) => groupNames.get(id) ?? []).join('; '),
  ...[user.messageCount, user.quotaUsed, user.quotaLimit],
  ...[user.budget?.spentUsd, user.budget?.limitUsd, user.createdAt, user.lastSeenAt],
];
