import { pipeline } from 'node:stream/promises';
import type { User } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { CurrentUserId, OpenTo, SignedInGuard } from '../identity/guards.js';
import { userOwner } from '../identity/identity.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { jsonPieces } from '../platform/json/json-writer.js';
import { inSlices, Slices } from '../platform/system/slices.js';
import { AdminUserView } from '../admin-users/admin-user-view.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { KnownPasswordDto } from '../users/account-fields.js';
import { ChangePasswordDto, UpdateProfileDto } from './auth.dto.js';
import { CredentialsService } from './credentials.service.js';
import { AccountNotices } from '../users/account-notices.js';
import { sessionUser } from './session-user.js';
import { SessionsService } from './sessions.service.js';

/** Each export reads all data of an account. Seconds. */
const EXPORTS: RateLimit = { name: 'export', points: 20, window: 60 * 60 };

@Controller('api/user')
@UseGuards(SignedInGuard)
export class OwnAccountController {
  constructor(
    private readonly users: UsersService,
    private readonly apiKeys: ApiKeysService,
    private readonly passwords: PasswordsService,
    private readonly views: AdminUserView,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly notices: AccountNotices,
    private readonly hooks: AccountLifecycleHooks,
    private readonly limits: RateLimits,
  ) {}

  @Patch()
  async updateProfile(
    @Req() request: Request,
    @CurrentUserId() userId: number,
    @Body() { currentPassword, ...changes }: UpdateProfileDto,
  ): Promise<User> {
    const before = await this.users.get(userId);
    const isNewEmail = changes.email !== undefined && changes.email !== before.email;
    if (isNewEmail) await this.credentials.confirm(request, currentPassword);
    const user = await this.users.update(userId, presentFields(changes));
    if (isNewEmail) this.notices.tell(userId, { kind: 'email' }, before.email);
    return sessionUser(request, user);
  }

  @Post('password')
  @HttpCode(200)
  @OpenTo('password_change_required')
  async changePassword(
    @Req() request: Request,
    @CurrentUserId() userId: number,
    @Body() { currentPassword, newPassword, endApiKeys = false }: ChangePasswordDto,
  ): Promise<void> {
    const user = await this.credentials.confirm(request, currentPassword);
    if (user.mustChangePassword && (await this.passwords.verify(user.passwordHash, newPassword)))
      throw refuseField('newPassword', 'same_password');
    const sessionEpoch = await this.apiKeys.endIf(endApiKeys, userId, (alongside) =>
      this.users.setPassword(userId, newPassword, request.session.epoch!, alongside),
    );
    this.notices.tell(userId, { kind: 'password' });
    await this.sessions.renew(request, { id: userId, sessionEpoch }, 'password');
  }

  @Post('logout-everywhere')
  @HttpCode(200)
  @OpenTo('password_change_required', 'totp_enrollment_required')
  async logoutEverywhere(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentUserId() userId: number,
  ): Promise<void> {
    await this.users.endSessions(userId, 'logout');
    await this.sessions.signOut(request, response, userId);
  }

  @Delete()
  @HttpCode(200)
  async delete(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentUserId() userId: number,
    @Body() { password }: KnownPasswordDto,
  ): Promise<void> {
    await this.credentials.confirm(request, password);
    await this.users.remove(userId);
    await this.sessions.signOut(request, response, userId);
  }

  /** Streams all data of the account as JSON, because a long history does not fit into memory. */
  @Get('export')
  async export(@CurrentUserId() userId: number, @Res() response: Response): Promise<void> {
    const owner = userOwner(userId);
    await this.limits.consume(EXPORTS, owner);
    const account = await this.views.viewOf(await this.users.get(userId));
    response.attachment('tanya-export.json').type('json');
    // The status is sent already: a failed query or a disconnect can only truncate the file.
    await pipeline(jsonOf(account, this.hooks.exportOf(owner)), response).catch(() => response.destroy());
  }
}

async function* jsonOf(account: unknown, parts: [string, AsyncIterable<unknown>][]): AsyncGenerator<string> {
  const slices = new Slices();
  yield `{"account":${JSON.stringify(account)}`;
  for (const [name, items] of parts) {
    let start = `,\n${JSON.stringify(name)}:[\n`;
    for await (const item of items) {
      yield start;
      yield* inSlices(jsonPieces(item), slices);
      start = ',\n';
    }
    yield start === ',\n' ? ']' : `${start}]`;
  }
  yield '}\n';
}
