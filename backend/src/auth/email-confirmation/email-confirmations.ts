import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, type EntityManager, Raw } from 'typeorm';
import { ENV, type Env } from '../../config/env.js';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { messageOf } from '../../platform/errors/message-of.js';
import { linkMail } from '../../platform/mail/link-mail.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { nameInMail } from '../../platform/mail/name-in-mail.js';
import { linkTo } from '../../platform/net/origin.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { newToken } from '../../platform/secrets/new-token.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import { isOfDomains } from '../../settings/email-domains.js';
import { SettingsService } from '../../settings/settings.service.js';
import type { UserEntity } from '../../users/user.entity.js';
import { usernameKey } from '../../users/username.js';
import { UsersService } from '../../users/users.service.js';
import { EmailConfirmationEntity } from './email-confirmation.entity.js';

const HOURS = 48;

/** Mails to one address. */
const MAILS: RateLimit = { name: 'confirm-email', points: 5, window: 60 * 60, isDurable: true };

/**
 * $1 account, $2 hash. A link that was mailed in the last ten minutes stays: its mail may be on its way.
 * Returns the address and what the link has replaced.
 */
const RENEW_LINK = `
with replaced as (
  select user_id, token_hash, expires_at from email_confirmation
  where user_id = $1 and coalesce(expires_at < now() + interval '${HOURS} hours' - interval '10 minutes', true)
  for update
)
update email_confirmation c set token_hash = $2, expires_at = now() + interval '${HOURS} hours'
from replaced where c.user_id = replaced.user_id
returning c.email, replaced.token_hash as "tokenHash", replaced.expires_at as "expiresAt"`;

/** $1 hash of a link that was not mailed, $2 that of the one before, $3 its end. */
const RESTORE_LINK = 'update email_confirmation set token_hash = $2, expires_at = $3 where token_hash = $1';

interface Replaced {
  email: string;
  tokenHash: string | null;
  expiresAt: Date | null;
}

/**
 * While the settings name domains, an account waits until the link that is mailed to its address was opened. Without
 * SMTP_URL it waits for an admin. The mail is sent once; a login with the right password sends another one.
 */
@Injectable()
export class EmailConfirmations {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
    private readonly users: UsersService,
    private readonly mailer: Mailer,
    private readonly limits: RateLimits,
  ) {}

  /** Whether people register with addresses of some domains alone. */
  isRequired(): boolean {
    return this.settings.get().allowedEmailDomains.length > 0;
  }

  /** @throws AppError `invalid` for an address of another domain, and without one */
  ensureAllowed(email: string | undefined): void {
    if (email === undefined || !isOfDomains(email, this.settings.get().allowedEmailDomains))
      throw refuseField('email', 'email_domain');
  }

  /** Within the transaction that stores the account. */
  async add(manager: EntityManager, { id, email }: UserEntity, guestId: string): Promise<void> {
    if (this.mailer.isEnabled) await manager.insert(EmailConfirmationEntity, { userId: id, email: email!, guestId });
  }

  /** Mails the link, unless that was done a moment ago. @returns whether the account waits for its link */
  async sendTo({ id, isApproved, username }: UserEntity): Promise<boolean> {
    if (isApproved || !this.mailer.isEnabled) return false;
    if (!(await this.dataSource.manager.existsBy(EmailConfirmationEntity, { userId: id }))) return false;
    void this.send(id, username).catch((error: unknown) => {
      const reason = messageOf(error);
      this.logger.warn({ reason, userId: id }, 'mail to confirm an address failed; a login sends another one');
    });
    return true;
  }

  /**
   * Approves the account of a link.
   * @param guestId of the browser that opens the link
   * @returns false in another browser than the one that registered, unless a person has pressed a button
   * @throws AppError `confirmation_invalid`
   */
  async confirm(token: string, guestId: string, isPressed: boolean): Promise<boolean> {
    const { manager } = this.dataSource;
    const valid = { tokenHash: sha256Hex(token), expiresAt: Raw((at) => `${at} > now()`) };
    const found = await manager.findOneBy(EmailConfirmationEntity, valid);
    const user = found && (await this.users.get(found.userId));
    if (found === null || user?.email !== found.email) throw new AppError('confirmation_invalid');
    if (!isPressed && found.guestId !== guestId) return false;
    await this.users.update(found.userId, { isApproved: true });
    await manager.delete(EmailConfirmationEntity, { userId: found.userId });
    return true;
  }

  private async send(userId: number, username: string): Promise<void> {
    const token = newToken();
    const tokenHash = sha256Hex(token);
    const [[row]] = await this.dataSource.query<[Replaced[], number]>(RENEW_LINK, [userId, tokenHash]);
    if (row === undefined) return;
    let isSent = false;
    try {
      if (!(await this.limits.tryConsume(MAILS, usernameKey(row.email)))) return;
      await this.mailer.send(this.mailOf(row.email, username, token));
      isSent = true;
    } finally {
      if (!isSent) await this.dataSource.query(RESTORE_LINK, [tokenHash, row.tokenHash, row.expiresAt]);
    }
  }

  private mailOf(to: string, username: string, token: string): Mail {
    const { siteTitle } = this.settings.get();
    return linkMail({
      to,
      subject: `Confirm your address – ${siteTitle}`,
      reason: `The account “${nameInMail(username)}” of ${siteTitle} was registered with this address.`,
      button: 'Confirm the address',
      link: linkTo(`/register?confirm=${token}`, this.env),
      validity: `The link works for ${HOURS} hours.`,
      ignore: 'If you have not registered, ignore this mail. Without the link nobody can use the account.',
    });
  }
}
