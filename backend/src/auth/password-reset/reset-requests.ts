import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { messageOf } from '../../platform/errors/message-of.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { withTimeout } from '../../platform/resilience/with-timeout.js';
import { SettingsService } from '../../settings/settings.service.js';
import type { UserEntity } from '../../users/user.entity.js';
import { UserLookup } from '../../users/user-lookup.service.js';
import { ResetLinks } from './reset-links.js';
import { LIMITS } from '@tanya/contract';
import { linkMail } from '../../platform/mail/link-mail.js';
import { nameInMail } from '../../platform/mail/name-in-mail.js';

/** The number of the oldest accounts of an address, and of its most used ones, that get a mail. */
const MAX_ACCOUNTS = 3;

const MAX_ATTEMPTS = 5;

/** Lease of a request that a node works on: longer than its mails take. A node that dies loses it. */
const LEASE = `interval '5 minutes'`;

/** How long a shutdown waits for a mail that is being sent, ms. A mail that is cut off is sent again after the lease. */
const SHUTDOWN_MS = 5_000;

const CLAIM = `
update password_reset_request set attempts = attempts + 1, next_attempt_at = now() + ${LEASE}
where id = (select id from password_reset_request where next_attempt_at <= now()
  order by next_attempt_at limit 1 for update skip locked)
returning id, email, attempts, mailed_user_ids as "mailedUserIds"`;

interface Claimed {
  id: string;
  email: string;
  attempts: number;
  mailedUserIds: number[];
}

/**
 * Stored requests to reset a password. A request costs the same for known and unknown addresses: it stores one row. The
 * accounts are looked up and the mails are sent afterwards, by any node, with retries.
 */
@Injectable()
export class ResetRequests implements OnApplicationBootstrap, OnModuleDestroy {
  private working: Promise<void> | null = null;
  /** A request was added since the last look. */
  private isDue = false;
  private isStopped = false;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly users: UserLookup,
    private readonly settings: SettingsService,
    private readonly links: ResetLinks,
    background: BackgroundWork,
  ) {
    if (mailer.isEnabled) background.repeat('password reset queue', timings.mailRetry, () => this.wake());
  }

  onApplicationBootstrap(): void {
    if (this.mailer.isEnabled) this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    if (this.working !== null) await withTimeout(SHUTDOWN_MS, this.working);
  }

  async add(email: string): Promise<void> {
    await this.dataSource.query('insert into password_reset_request (id, email) values ($1, $2)', [
      randomUUID(),
      email,
    ]);
    setImmediate(() => this.wake());
  }

  private wake(): void {
    this.isDue = true;
    this.working ??= this.workOff().finally(() => (this.working = null));
  }

  private async workOff(): Promise<void> {
    try {
      while (this.isDue && !this.isStopped) {
        this.isDue = false;
        for (let request = await this.claim(); request !== null; request = await this.claim()) {
          await this.sendLink(request);
        }
      }
    } catch (error) {
      this.logger.warn({ reason: messageOf(error) }, 'password reset queue failed; retrying later');
    }
  }

  private async claim(): Promise<Claimed | null> {
    if (this.isStopped) return null;
    const [[claimed]] = await this.dataSource.query<[Claimed[], number]>(CLAIM);
    return claimed ?? null;
  }

  private async sendLink(request: Claimed): Promise<void> {
    const { id, attempts } = request;
    try {
      await this.sendMails(request);
    } catch (error) {
      const reason = messageOf(error);
      if (attempts < MAX_ATTEMPTS) {
        const delayMs = this.timings.mailRetry * 2 ** (attempts - 1);
        this.logger.warn({ reason, requestId: id, attempts, delayMs }, 'password reset mail failed; retrying');
        await this.dataSource.query(
          `update password_reset_request set next_attempt_at = now() + $2 * interval '1 ms' where id = $1`,
          [id, delayMs],
        );
        return;
      }
      this.logger.error({ reason, requestId: id, attempts }, 'password reset mail failed; giving up');
    }
    await this.dataSource.query('delete from password_reset_request where id = $1', [id]);
  }

  /**
   * Sends a mail to the stored address of each account that has none yet. The requested spelling may be another person's
   * mailbox. A refused address does not keep the mails of other accounts back.
   * @throws Error the first failure, after all attempts
   */
  private async sendMails({ id, email, mailedUserIds }: Claimed): Promise<void> {
    const failures: unknown[] = [];
    for (const user of await this.users.findByEmail(email, MAX_ACCOUNTS)) {
      if (mailedUserIds.includes(user.id)) continue;
      await this.sendMail(id, user).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async sendMail(requestId: string, user: UserEntity): Promise<void> {
    const { siteTitle } = this.settings.get();
    const link = await this.links.create(user);
    await this.mailer.send(resetMail({ to: user.email!, username: user.username, siteTitle, link }));
    await this.dataSource.query(
      'update password_reset_request set mailed_user_ids = array_append(mailed_user_ids, $2) where id = $1',
      [requestId, user.id],
    );
  }
}

interface ResetMail {
  to: string;
  username: string;
  siteTitle: string;
  link: string;
}

/** The mail with the link to choose a new password. */
const resetMail = ({ to, username, siteTitle, link }: ResetMail): Mail =>
  linkMail({
    to,
    subject: `Reset your password – ${siteTitle}`,
    reason: `A new password was requested for the account “${nameInMail(username)}” of ${siteTitle}.`,
    button: 'Choose a new password',
    link,
    validity: `The link works once, for ${LIMITS.resetMinutes} minutes.`,
    ignore: 'If you did not ask for this, ignore this mail. Your password stays as it is.',
  });
