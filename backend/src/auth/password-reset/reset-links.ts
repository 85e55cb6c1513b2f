import { LIMITS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, type Repository } from 'typeorm';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { ENV, type Env } from '../../config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { linkTo } from '../../platform/net/origin.js';
import { newToken } from '../../platform/secrets/new-token.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import type { UserEntity } from '../../users/user.entity.js';
import { AccountAccessService } from '../../users/account-access.service.js';
import { UsersService } from '../../users/users.service.js';
import { PasswordResetEntity } from './password-reset.entity.js';

/** Links to reset a password: 256 random bits, hashed at rest, valid once. */
@Injectable()
export class ResetLinks {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @InjectRepository(PasswordResetEntity) private readonly resets: Repository<PasswordResetEntity>,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  async create({ id, email, sessionEpoch }: UserEntity): Promise<string> {
    const token = newToken();
    const expiresAt = () => `now() + interval '${LIMITS.resetMinutes} minutes'`;
    await this.resets
      .createQueryBuilder()
      .insert()
      .values({ userId: id, tokenHash: sha256Hex(token), email: email!, sessionEpoch, expiresAt })
      .orUpdate(['token_hash', 'email', 'session_epoch', 'expires_at'], ['user_id'])
      .execute();
    return linkTo(`/reset-password?token=${token}`, this.env);
  }

  /**
   * Sets the password of the token's account and ends all its sessions. Parallel calls compare the session epoch, so that
   * one of them succeeds.
   * @returns the account
   * @throws AppError `reset_invalid`, `forbidden`
   */
  async use(token: string, newPassword: string, endApiKeys: boolean): Promise<number> {
    const reset = await this.resets.findOneBy({ tokenHash: sha256Hex(token), expiresAt: Raw((at) => `${at} > now()`) });
    if (reset === null) throw new AppError('reset_invalid');
    const { userId } = reset;
    this.access.ensureMayUsePassword(await this.users.get(userId));
    const isSet = await this.apiKeys.endIf(endApiKeys, userId, (alongside) =>
      this.users.resetPassword(userId, newPassword, reset, alongside),
    );
    if (!isSet) throw new AppError('reset_invalid');
    await this.resets.delete({ userId });
    return userId;
  }
}
