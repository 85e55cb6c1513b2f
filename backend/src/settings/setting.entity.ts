import type {
  BudgetPeriod,
  MaxSteps,
  QuotaPeriod,
  RegistrationMode,
  SearchChoice,
  SiteLanguage,
  ToolPlans,
  TotpRequired,
} from '@tanya/contract';
import { Check, Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { USD_COLUMN } from '../platform/database/usd-column.js';
import type { Cell } from '../platform/secrets/secret-box.js';

/** The settings that admins change at runtime, in one row. */
@Entity('setting')
@Check('setting_one_row', 'id = 1')
export class SettingEntity {
  @PrimaryColumn({ type: 'integer', default: 1 })
  id: number;

  @Column({ type: 'text' })
  siteTitle: string;

  @Column({ type: 'text' })
  welcomeMessage: string;

  @Column({ type: 'text' })
  emptyThreadMessage: string;

  @Column({ type: 'text' })
  systemPrompt: string;

  @Column({ type: 'integer', default: 3 })
  guestMessageQuota: number;

  @Column({ type: 'integer', default: 100 })
  freeUserMessageQuota: number;

  @Column({ type: 'integer', default: -1 })
  premiumUserMessageQuota: number;

  @Column({ type: 'text', default: 'never' })
  quotaPeriod: QuotaPeriod;

  /** Messages per day for all guests of one address. */
  @Column({ type: 'integer', default: 60 })
  guestAddressDailyQuota: number;

  /** Messages per hour for all guests together. */
  @Column({ type: 'integer', default: 1000 })
  guestHourlyBudget: number;

  /** The budgets are decimal strings in USD; null is unlimited. */
  @Column(USD_COLUMN)
  freeUserBudgetUsd: string | null;

  @Column(USD_COLUMN)
  premiumUserBudgetUsd: string | null;

  /** Of members without a period of their own. */
  @Column({ type: 'text', default: 'monthly' })
  userBudgetPeriod: BudgetPeriod;

  @Column(USD_COLUMN)
  installationBudgetUsd: string | null;

  @Column({ type: 'text', default: 'monthly' })
  installationBudgetPeriod: BudgetPeriod;

  @Column({ type: 'text', default: 'open' })
  registrationMode: RegistrationMode;

  @Column({ type: 'boolean', default: true })
  sharingEnabled: boolean;

  /** Each link of the page that is null comes from the environment. */
  @Column({ type: 'text', nullable: true })
  upgradeUrl: string | null;

  @Column({ type: 'text', nullable: true })
  guestSignupUrl: string | null;

  @Column({ type: 'text', nullable: true })
  proAppUrl: string | null;

  @Column({ type: 'text', nullable: true })
  termsUrl: string | null;

  @Column({ type: 'text', nullable: true })
  contactUrl: string | null;

  /** Own conversation ideas; empty uses the built-in ones. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  starters: string[];

  @Column({ type: 'jsonb', default: { admin: false, member: false } })
  totpRequired: TotpRequired;

  @Column({ type: 'text', default: 'spec' })
  defaultLanguage: SiteLanguage;

  /** Steps with tools in one answer, by plan. */
  @Column({ type: 'jsonb', default: { guest: 0, free: 3, premium: 10 } })
  maxSteps: MaxSteps;

  /** The plans of each built-in tool. A tool that is absent is open to every plan. */
  @Column({ type: 'jsonb', default: {} })
  builtInTools: Partial<ToolPlans>;

  @Column({ type: 'text', default: 'auto' })
  searchBackend: SearchChoice;

  /** Null uses the environment's server. */
  @Column({ type: 'text', nullable: true })
  searxngUrl: string | null;

  /** Sealed under APP_SECRET. */
  @Column({ type: 'text', nullable: true })
  braveApiKeySealed: string | null;

  @Column({ type: 'text', nullable: true })
  tavilyApiKeySealed: string | null;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}

/** A sealed column of the only row. */
export const settingCell = (column: 'brave_api_key_sealed' | 'tavily_api_key_sealed'): Cell => ({
  table: 'setting',
  column,
  row: 1,
});
