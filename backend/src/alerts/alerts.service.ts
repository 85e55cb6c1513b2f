import { randomUUID } from 'node:crypto';
import type { Alert, AlertTestResult } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { Mailer } from '../platform/mail/mailer.js';
import { SettingsService } from '../settings/settings.service.js';
import { AlertDelivery } from './alert-delivery.js';

const insertAlert = statement<{
  id: string;
  kind: Alert['kind'];
  occasion: string;
  details: string;
  hasWebhook: boolean;
  hasMail: boolean;
}>(`
insert into alert (id, kind, occasion, details, due_at, is_mail_due)
values (:id, :kind, :occasion, :details::jsonb, case when :hasWebhook then now() end, :hasMail)
on conflict (occasion) do nothing returning id`);

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
    if (!this.isWanted || !(await this.store(randomUUID(), kind, occasion, details))) return;
    this.delivery.wake();
  }

  /** Sends a test, and waits for the first attempt. @throws AppError `conflict` when nobody is to be told */
  async test(): Promise<AlertTestResult> {
    if (!this.isWanted) throw new AppError('conflict', { reason: 'alert_target' });
    const id = randomUUID();
    await this.store(id, 'test', `test:${id}`, {});
    const { webhook, mail } = await this.delivery.deliver(id);
    return { ok: webhook?.ok !== false && mail?.ok !== false, webhook, mail };
  }

  private targets() {
    const { alertWebhookUrl, alertEmail } = this.settings.get();
    return { hasWebhook: alertWebhookUrl !== null, hasMail: alertEmail !== null && this.mailer.isEnabled };
  }

  private async store(id: string, kind: Alert['kind'], occasion: string, details: Alert['details']): Promise<boolean> {
    const stored = { id, kind, occasion, details: JSON.stringify(details), ...this.targets() };
    const rows = await this.dataSource.query<unknown[]>(...insertAlert(stored));
    return rows.length > 0;
  }
}
