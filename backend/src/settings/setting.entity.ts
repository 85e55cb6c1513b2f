import { Check, Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { StoredSettings } from './stored-settings.js';

/** The settings that admins change at runtime, in one row. */
@Entity('setting')
@Check('setting_one_row', 'id = 1')
export class SettingEntity {
  @PrimaryColumn({ type: 'integer', default: 1 })
  id: number;

  /** The settings that have been changed; the others have their defaults. */
  @Column({ type: 'jsonb', default: {} })
  changed: Partial<StoredSettings>;

  /** Sealed under APP_SECRET. */
  @Column({ type: 'text', nullable: true })
  braveApiKeySealed: string | null;

  @Column({ type: 'text', nullable: true })
  tavilyApiKeySealed: string | null;

  @Column({ type: 'text', nullable: true })
  alertWebhookSecretSealed: string | null;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
