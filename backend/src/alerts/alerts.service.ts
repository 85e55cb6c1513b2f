import { randomUUID } from 'node:crypto';
import type { Alert, AlertTestResult } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { Mailer } from '../platform/mail/mailer.js';
import { SettingsService } from '../settings/settings.service.js';
import { AlertDelivery, type AlertTargets, LEASE, type StoredAlert } from './alert-delivery.js';

type NewAlert = Pick<StoredAlert, 'id' | 'kind'> & AlertTargets & { occasion: string; details: string };

const COLUMNS = 'id, kind, occasion, details, due_at, is_mail_due, attempts';

const insertAlert = statement<NewAlert>(`
insert into alert (${COLUMNS})
values (:id, :kind, :occasion, :details::jsonb, case when :hasWebhook then now() end, :hasMail, 0)
on conflict (occasion) do nothing returning id`);

/** Stored as if this node had claimed it. Another node repeats the call if this one dies. */
const insertClaimed = statement<Omit<NewAlert, 'hasMail'>>(`
insert into alert (${COLUMNS})
values (:id, :kind, :occasion, :details::jsonb, case when :hasWebhook then now() + ${LEASE} end, false, 1)
returning created_at as "createdAt"`);

/** Stores alerts, each occasion once, for the delivery by any node. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
    private readonly mailer: Mailer,
    private readonly delivery: AlertDelivery,
  ) {}

  /** Whether anyone is told. */
  get isWanted(): boolean {
    const { hasWebhook, hasMail } = this.targets();
    return hasWebhook || hasMail;
  }

  async raise(kind: Alert['kind'], occasion: string, details: Alert['details']): Promise<void> {
    if (!this.isWanted) return;
    const stored = { id: randomUUID(), kind, occasion, details: JSON.stringify(details), ...this.targets() };
    const rows = await this.dataSource.query<unknown[]>(...insertAlert(stored));
    if (rows.length > 0) this.delivery.wake();
  }

  /** Sends a test, and waits for the first attempt. @throws AppError `conflict` when nobody is to be told */
  async test(): Promise<AlertTestResult> {
    if (!this.isWanted) throw new AppError('conflict', { reason: 'alert_target' });
    const [id, kind, targets] = [randomUUID(), 'test', this.targets()] as const;
    const stored = { id, kind, occasion: `test:${id}`, details: '{}', ...targets };
    const [row] = await this.dataSource.query<[{ createdAt: Date }]>(...insertClaimed(stored));
    const alert = { id, kind, details: {}, createdAt: row.createdAt, attempts: 1 };
    const { webhook, mail } = await this.delivery.deliver(alert, targets);
    return { ok: webhook?.ok !== false && mail?.ok !== false, webhook, mail };
  }

  private targets(): AlertTargets {
    const { alertWebhookUrl, alertEmail } = this.settings.get();
    return { hasWebhook: alertWebhookUrl !== null, hasMail: alertEmail !== null && this.mailer.isEnabled };
  }
}
