import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../config/env.js';
import { messageOf } from '../platform/errors/message-of.js';
import { linkMail } from '../platform/mail/link-mail.js';
import { type Mail, Mailer } from '../platform/mail/mailer.js';
import { nameInMail } from '../platform/mail/name-in-mail.js';
import { linkTo } from '../platform/net/origin.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { SettingsService } from '../settings/settings.service.js';
import { usernameKey } from './username.js';
import { UsersService } from './users.service.js';

/** Mails of one kind to an account, so that nobody with its password fills a mailbox. */
const MAILS: RateLimit = { name: 'account-notices', points: 10, window: 60 * 60, isDurable: true };

/**
 * The same for one address: anybody can enter it in accounts of their own. More than those of one account, so that two of
 * these alone keep none back.
 */
const MAILBOX: RateLimit = { ...MAILS, name: 'account-notices-mailbox', points: 30 };

/** What happened to an account, and for a new browser which and from where. */
type Notice =
  | { kind: 'new_browser'; device: string | null; address: string }
  | { kind: 'identity'; provider: string }
  | { kind: 'passkey' }
  /** Changes that administrators make, too. */
  | { kind: 'password' | 'email' | 'factor_off'; byAdmin?: true };

const SUBJECTS: Record<Notice['kind'], string> = {
  new_browser: 'New login',
  passkey: 'New passkey',
  identity: 'New way to sign in',
  email: 'Your address was changed',
  password: 'Your password was changed',
  factor_off: 'Two-factor login is off',
};

/**
 * Mails to people about what else could be the work of somebody who got into their account. Without SMTP_URL or an
 * address there are none. No call waits for a mail or fails with it.
 */
@Injectable()
export class AccountNotices {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly mailer: Mailer,
    private readonly settings: SettingsService,
    private readonly users: UsersService,
    private readonly limits: RateLimits,
  ) {}

  get areSent(): boolean {
    return this.mailer.isEnabled;
  }

  /** @param to the address before a change of it; by default that of the account */
  tell(userId: number, notice: Notice, to?: string | null): void {
    if (!this.areSent) return;
    this.send(userId, notice, to).catch((error: unknown) => {
      const reason = messageOf(error);
      this.logger.warn({ reason, userId, kind: notice.kind }, 'mail about an account failed; it is not repeated');
    });
  }

  private async send(userId: number, notice: Notice, before: string | null | undefined): Promise<void> {
    const { username, email } = await this.users.get(userId);
    const to = before === undefined ? email : before;
    if (to === null) return;
    const isWithin = await this.limits.tryConsumeAll([
      [MAILS, `${notice.kind} user:${userId}`],
      [MAILBOX, `${notice.kind} ${usernameKey(to)}`],
    ]);
    if (isWithin) await this.mailer.send(this.mailOf(to, username, notice));
  }

  private mailOf(to: string, username: string, notice: Notice): Mail {
    const { siteTitle } = this.settings.get();
    const account = `your account “${nameInMail(username)}” of ${siteTitle}`;
    const time = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return linkMail({
      to,
      subject: `${SUBJECTS[notice.kind]} – ${siteTitle}`,
      reason: `${sentenceOf(notice, account)} Time: ${time}.`,
      button: 'See the logins of the account',
      link: linkTo('/account/security', this.env),
      validity: 'The page lists what can sign in and where somebody is signed in, and ends it.',
      ignore:
        'byAdmin' in notice
          ? 'If you asked for this, ignore this mail. If not, ask your administrators who did it.'
          : 'If this was you, ignore this mail. If not, choose a new password there, or ask an administrator for help.',
    });
  }
}

function sentenceOf(notice: Notice, account: string): string {
  switch (notice.kind) {
    case 'new_browser':
      return `A browser that was not used for it before signed in to ${account}: ${shown(notice.device)}, from ${notice.address}.`;
    case 'passkey':
      return `A passkey was added to ${account}. It signs in without a password.`;
    case 'identity':
      return `A login at ${notice.provider} was connected with ${account}. It signs in without a password.`;
    case 'email':
      return `The address of ${account} was changed${agentOf(notice)}. Mails no longer come to this one.`;
    case 'password':
      return `The password of ${account} was changed${agentOf(notice)}.`;
    case 'factor_off':
      return `Two-factor login was turned off for ${account}${agentOf(notice)}.`;
  }
}

const agentOf = ({ byAdmin }: { byAdmin?: true }): string => (byAdmin ? ' by an administrator' : '');

/** A client chooses what its browser is called. Only a plain name goes into a mail, which has our sender. */
const shown = (device: string | null): string => /^[A-Za-z ·]{1,60}$/.exec(device ?? '')?.[0] ?? 'an unknown browser';
