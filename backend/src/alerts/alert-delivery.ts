import { createHmac } from 'node:crypto';
import type { Alert, AlertKind, AlertTestResult } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../config/timings.js';
import { statement } from '../platform/database/named-parameters.js';
import { Mailer } from '../platform/mail/mailer.js';
import { guardedConnector } from '../platform/net/ssrf-guard.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { withTimeout } from '../platform/resilience/with-timeout.js';
import { SettingsService } from '../settings/settings.service.js';
import { OutboundFailure } from '../tools/outbound/outbound-failure.js';
import { outboundRequest } from '../tools/outbound/outbound-request.js';

/** A node calls the webhook for this many alerts at once. */
const AT_ONCE = 4;

const IN_A_MAIL = 100;

/** Time of one call, and what is read of its answer. */
const CALL_MS = 10_000;
const ANSWER_BYTES = 1024 * 1024;

/** How long a node has for an alert that it has claimed: longer than a call. A node that dies loses it. */
export const LEASE = `interval '1 minute'`;

/** An alert is not repeated after this time. */
const REPEATED_FOR = `interval '1 day'`;

const MOST_DELAY_MS = 3_600_000;

/** How long a shutdown waits for calls and mails under way. A call that is cut off is repeated after its lease. */
const SHUTDOWN_MS = 5_000;

export interface StoredAlert {
  id: string;
  kind: Alert['kind'];
  details: Alert['details'];
  createdAt: Date;
  attempts: number;
}

const CLAIMED = 'id, kind, details, created_at as "createdAt", attempts';

export interface AlertTargets {
  hasWebhook: boolean;
  hasMail: boolean;
}

/** Claims the one that has been due for longest. */
const CLAIM_CALL = `
update alert set attempts = attempts + 1, due_at = now() + ${LEASE}
where id = (select id from alert where due_at <= now() order by due_at limit 1 for update skip locked)
returning ${CLAIMED}`;

const setDelivered = statement<{ id: string }>('update alert set due_at = null where id = :id');

const setDue = statement<{ id: string; delayMs: number }>(`
update alert set due_at = case when created_at > now() - ${REPEATED_FOR} then now() + :delayMs * interval '1 ms' end
where id = :id returning due_at is not null as "isRepeated"`);

const CLAIM_MAILS = `
update alert set is_mail_due = false
where id in (select id from alert where is_mail_due order by created_at limit ${IN_A_MAIL} for update skip locked)
returning ${CLAIMED}`;

type CallResult = NonNullable<AlertTestResult['webhook']>;

/**
 * Delivers stored alerts. The webhook gets each at least once: any node repeats it for a day until an answer of the 200s.
 * A mail is sent at most once, for all alerts that wait at that time.
 */
@Injectable()
export class AlertDelivery implements OnApplicationBootstrap, OnModuleDestroy {
  private working: Promise<void> | null = null;
  /** An alert was stored since the last look. */
  private isDue = false;
  private readonly stopped = new AbortController();

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly settings: SettingsService,
    background: BackgroundWork,
  ) {
    background.repeat('delivery of alerts', timings.alertRetry, () => this.wake());
  }

  onApplicationBootstrap(): void {
    this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped.abort();
    if (this.working !== null) await withTimeout(SHUTDOWN_MS, this.working);
  }

  /** Delivers what is due. */
  wake(): void {
    this.isDue = true;
    this.working ??= this.workOff().finally(() => (this.working = null));
  }

  /** The first deliveries of an alert that was stored for this node, with their results. */
  async deliver(alert: StoredAlert, { hasWebhook, hasMail }: AlertTargets): Promise<Omit<AlertTestResult, 'ok'>> {
    const [webhook, mail] = await Promise.all([
      hasWebhook ? this.deliverCall(alert) : null,
      hasMail ? this.sendMail([alert]) : null,
    ]);
    return { webhook, mail: mail === null ? null : { ok: mail } };
  }

  private async workOff(): Promise<void> {
    try {
      while (this.isDue && !this.stopped.signal.aborted) {
        this.isDue = false;
        const calls = Array.from({ length: AT_ONCE }, () => this.deliverCalls());
        await Promise.all([...calls, this.deliverMails()]);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'delivery of alerts failed; retrying later');
    }
  }

  private async deliverCalls(): Promise<void> {
    if (this.settings.get().alertWebhookUrl === null) return;
    for (let alert = await this.claim(); alert !== null; alert = await this.claim()) await this.deliverCall(alert);
  }

  private async deliverMails(): Promise<void> {
    for (let alerts = await this.mailsDue(); alerts.length > 0; alerts = await this.mailsDue())
      await this.sendMail(alerts);
  }

  private async claim(): Promise<StoredAlert | null> {
    if (this.stopped.signal.aborted) return null;
    const [[claimed]] = await this.dataSource.query<[StoredAlert[], number]>(CLAIM_CALL);
    return claimed ?? null;
  }

  private async mailsDue(): Promise<StoredAlert[]> {
    if (this.stopped.signal.aborted || !this.mailer.isEnabled || this.settings.get().alertEmail === null) return [];
    const [claimed] = await this.dataSource.query<[StoredAlert[], number]>(CLAIM_MAILS);
    return claimed;
  }

  private async deliverCall(alert: StoredAlert): Promise<CallResult> {
    const { id, kind, attempts } = alert;
    const result = await this.call(alert);
    if (result.ok) {
      await this.dataSource.query(...setDelivered({ id }));
      return result;
    }
    const delayMs = Math.min(this.timings.alertRetry * 2 ** Math.min(attempts - 1, 16), MOST_DELAY_MS);
    const [[row]] = await this.dataSource.query<[{ isRepeated: boolean }[], number]>(...setDue({ id, delayMs }));
    const { fault, status } = result;
    if (row?.isRepeated)
      this.logger.warn({ alertId: id, kind, attempts, fault, status, delayMs }, 'alert not delivered; retrying');
    else this.logger.error({ alertId: id, kind, attempts, fault, status }, 'alert not delivered; giving up');
    return result;
  }

  private async call(alert: StoredAlert): Promise<CallResult> {
    const { alertWebhookUrl } = this.settings.get();
    if (alertWebhookUrl === null) return { ok: false, fault: 'unreachable' };
    const url = new URL(alertWebhookUrl);
    const body = JSON.stringify(this.bodyOf(alert));
    const secret = this.settings.alertWebhookSecret();
    const signature: Record<string, string> =
      secret === null ? {} : { 'x-tanya-signature': `sha256=${signatureOf(body, secret)}` };
    try {
      const { status } = await outboundRequest({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature },
        body,
        connect: guardedConnector({ timeout: this.timings.connect, trustedOrigin: url.origin }),
        maxBytes: ANSWER_BYTES,
        signal: this.stopped.signal,
        timeoutMs: CALL_MS,
      });
      if (status >= 200 && status < 300) return { ok: true };
      return { ok: false, fault: status >= 300 && status < 400 ? 'redirect' : 'http_error', status };
    } catch (error) {
      return { ok: false, fault: error instanceof OutboundFailure ? error.fault : 'unreachable' };
    }
  }

  private bodyOf({ id, kind, details, createdAt }: StoredAlert): Alert {
    const site = this.settings.get().siteTitle;
    return { id, at: createdAt.toISOString(), kind, site, text: alertText({ kind, details }), details };
  }

  /** @returns whether the mail server took it */
  private async sendMail(alerts: StoredAlert[]): Promise<boolean> {
    const { alertEmail, siteTitle } = this.settings.get();
    const lines = alerts.map((alert) => `${alert.createdAt.toISOString()} ${alertText(alert)}`);
    const subject = alerts.length === 1 ? alertText(alerts[0]!) : `${alerts.length} alerts`;
    try {
      await this.mailer.send({ to: alertEmail!, subject: `${siteTitle}: ${subject}`, text: `${lines.join('\n\n')}\n` });
      return true;
    } catch (error) {
      this.logger.warn({ reason: (error as Error).message, alerts: alerts.length }, 'mail of alerts not sent');
      return false;
    }
  }
}

const signatureOf = (body: string, secret: string): string => createHmac('sha256', secret).update(body).digest('hex');

type Details = Alert['details'];

const SENTENCES: Record<AlertKind, (details: Details) => string> = {
  budget_near: ({ limitUsd }) => `80 % of the installation's budget of $${text(limitUsd)} is spent.`,
  budget_spent: ({ limitUsd }) => `The installation's budget of $${text(limitUsd)} is spent. Answers are refused.`,
  connection_failing: ({ connection, since }) =>
    `The connection "${text(connection)}" has not given an answer since ${text(since)}.`,
  connection_recovered: ({ connection }) => `The connection "${text(connection)}" answers again.`,
  registrations_waiting: ({ count }) =>
    `${count === 1 ? '1 account waits' : `${text(count)} accounts wait`} for approval.`,
  tools_changed: ({ server, tools }) =>
    `The tool server "${text(server)}" has changed tools, which wait for a review: ${text(tools)}.`,
  backup_failed: () => 'A backup failed. Its output says why.',
  retention_failed: () => 'Old chats could not be deleted. The log says why.',
  test: () => 'This is a test. Alerts arrive here.',
};

const text = (value: Details[string] | undefined): string => (Array.isArray(value) ? value.join(', ') : String(value));

const alertText = ({ kind, details }: Pick<Alert, 'kind' | 'details'>): string => SENTENCES[kind](details);
