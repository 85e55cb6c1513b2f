import { Inject, Injectable } from '@nestjs/common';
import type { Retention } from '@tanya/contract';
import type { EntityManager } from 'typeorm';
import { ENV, type Env } from '../../config/env.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { type Mail, Mailer, MailError } from '../../platform/mail/mailer.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { isAnyShorter, onlyOf } from '../../retention/retention-rules.js';
import { RetentionService } from '../../retention/retention.service.js';
import { SettingsService } from '../../settings/settings.service.js';
import { nextConcerned } from '../messages/old-threads-sql.js';

interface Concerned {
  id: number;
  email: string;
  is_premium: boolean;
}

/** Tells members by mail that their chats will be deleted earlier. Without SMTP_URL only the page tells them. */
@Injectable()
export class RetentionNotices {
  constructor(
    @Inject(TIMINGS) timings: Timings,
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly retention: RetentionService,
    private readonly mailer: Mailer,
    private readonly settings: SettingsService,
    background: BackgroundWork,
  ) {
    background.repeat('notices of the retention', timings.mailRetry, () => this.send());
  }

  private async send(): Promise<void> {
    if (this.retention.get().effectiveAt === null) return;
    while (await this.retention.mailNext((after, retention, manager) => this.tellNext(after, retention, manager)));
  }

  private async tellNext(after: number, retention: Retention, manager: EntityManager): Promise<number | null> {
    if (!this.mailer.isEnabled) return null;
    const isConcerned = (plan: 'free' | 'premium') =>
      isAnyShorter(onlyOf(retention, plan), onlyOf(retention.inForce, plan));
    const plans = { free: isConcerned('free'), premium: isConcerned('premium') };
    const [person] = await manager.query<Concerned[]>(...nextConcerned({ after, ...plans }));
    if (person === undefined) return null;
    try {
      await this.mailer.send(this.mailTo(person, retention));
    } catch (error) {
      // An address that the server refuses must not keep the mail from the others.
      if (!(error instanceof MailError) || !error.isFinal) throw error;
      this.logger.warn({ err: error, userId: person.id }, 'notice of the retention refused; leaving the account out');
    }
    return person.id;
  }

  private mailTo({ email, is_premium: isPremium }: Concerned, retention: Retention): Mail {
    const { siteTitle } = this.settings.get();
    const days = isPremium ? retention.premium : retention.free;
    const day = retention.effectiveAt!.slice(0, 10);
    const pinned = retention.exemptPinned ? 'Pinned chats stay.' : 'Pinned chats are deleted too.';
    const text = [
      `From ${day} on, chats of ${siteTitle} without a message for ${days} days are deleted. ${pinned}`,
      'To keep a chat, write in it or pin it. Your account settings offer an export of all your data.',
      ...(this.env.publicUrl === null ? [] : [this.env.publicUrl]),
    ];
    return { to: email, subject: `Old chats will be deleted – ${siteTitle}`, text: `${text.join('\n\n')}\n` };
  }
}
