import type { Alert, AlertKind } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Something that happened once, and its deliveries. */
@Entity('alert')
@Unique('alert_occasion', ['occasion'])
export class AlertEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_alert' })
  id: string;

  @Column({ type: 'text' })
  kind: AlertKind;

  /** What happened, so that several nodes tell it once. */
  @Column({ type: 'text' })
  occasion: string;

  @Column({ type: 'jsonb', default: {} })
  details: Alert['details'];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** When the webhook is called next; null once it has the alert, without a webhook, and after a day of failures. */
  @Index('alert_due', { where: 'due_at is not null' })
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  /** Whether the mail is still to be sent. It is sent at most once. */
  @Column({ type: 'boolean', default: false })
  isMailDue: boolean;
}
