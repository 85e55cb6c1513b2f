import type { QueryRunner } from 'typeorm';

const NAMES = [
  'site_title',
  'welcome_message',
  'empty_thread_message',
  'system_prompt',
  'guest_message_quota',
  'free_user_message_quota',
  'premium_user_message_quota',
  'quota_period',
  'guest_address_daily_quota',
  'guest_hourly_budget',
  'free_user_budget_usd',
  'premium_user_budget_usd',
  'user_budget_period',
  'installation_budget_usd',
  'installation_budget_period',
  'registration_mode',
  'sharing_enabled',
  'upgrade_url',
  'guest_signup_url',
  'pro_app_url',
  'terms_url',
  'contact_url',
  'starters',
  'totp_required',
  'default_language',
  'max_steps',
  'built_in_tools',
  'search_backend',
  'searxng_url',
];

/** `site_title` is `siteTitle` in the JSON. */
const fieldOf = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** An amount in USD is a decimal string without trailing zeros. */
const valueOf = (column: string) => (column.endsWith('_usd') ? `trim_scale(${column})::text` : column);

/**
 * The settings as one JSON value, so that a new setting needs no column. An installation keeps every value that it has, also
 * those that are defaults.
 */
export class SettingsAsValues1765100000000 {
  name = 'SettingsAsValues1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "setting" ADD "changed" jsonb NOT NULL DEFAULT '{}'`);
    const fields = NAMES.map((column) => `'${fieldOf(column)}', ${valueOf(column)}`);
    await runner.query(`UPDATE "setting" SET changed = jsonb_build_object(${fields.join(', ')})`);
    await runner.query(`ALTER TABLE "setting" ${NAMES.map((column) => `DROP COLUMN "${column}"`).join(', ')}`);
  }
}
