import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of the settings, with what they had beside their name. */
const COLUMNS = {
  site_title: `text NOT NULL DEFAULT ''`,
  welcome_message: `text NOT NULL DEFAULT ''`,
  empty_thread_message: `text NOT NULL DEFAULT ''`,
  system_prompt: `text NOT NULL DEFAULT ''`,
  guest_message_quota: 'integer NOT NULL DEFAULT 3',
  free_user_message_quota: 'integer NOT NULL DEFAULT 100',
  premium_user_message_quota: 'integer NOT NULL DEFAULT -1',
  quota_period: `text NOT NULL DEFAULT 'never'`,
  guest_address_daily_quota: 'integer NOT NULL DEFAULT 60',
  guest_hourly_budget: 'integer NOT NULL DEFAULT 1000',
  free_user_budget_usd: 'numeric(20,12)',
  premium_user_budget_usd: 'numeric(20,12)',
  user_budget_period: `text NOT NULL DEFAULT 'monthly'`,
  installation_budget_usd: 'numeric(20,12)',
  installation_budget_period: `text NOT NULL DEFAULT 'monthly'`,
  registration_mode: `text NOT NULL DEFAULT 'open'`,
  sharing_enabled: 'boolean NOT NULL DEFAULT true',
  upgrade_url: 'text',
  guest_signup_url: 'text',
  pro_app_url: 'text',
  terms_url: 'text',
  contact_url: 'text',
  starters: `text[] NOT NULL DEFAULT '{}'`,
  totp_required: `jsonb NOT NULL DEFAULT '{"admin":false,"member":false}'`,
  default_language: `text NOT NULL DEFAULT 'spec'`,
  max_steps: `jsonb NOT NULL DEFAULT '{"guest":0,"free":3,"premium":10}'`,
  built_in_tools: `jsonb NOT NULL DEFAULT '{}'`,
  search_backend: `text NOT NULL DEFAULT 'auto'`,
  searxng_url: 'text',
};

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** `site_title` is `siteTitle` in the JSON. */
const fieldOf = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** An amount in USD is a decimal string without trailing zeros. */
const valueOf = (column: string) => (column.endsWith('_usd') ? `trim_scale(${column})::text` : column);

/** The value of a column from the JSON. */
function columnOf(column: keyof typeof COLUMNS): string {
  const field = fieldOf(column);
  if (column === 'starters') return `array(SELECT jsonb_array_elements_text(changed->'${field}'))`;
  return `(changed->>'${field}')::${COLUMNS[column].split(' ')[0]}`;
}

/**
 * The settings as one JSON value, so that a new setting needs no column. An installation keeps every value that it has, also
 * those that are defaults.
 */
export class SettingsAsValues1765100000000 implements MigrationInterface {
  name = 'SettingsAsValues1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "setting" ADD "changed" jsonb NOT NULL DEFAULT '{}'`);
    const fields = NAMES.map((column) => `'${fieldOf(column)}', ${valueOf(column)}`);
    await runner.query(`UPDATE "setting" SET changed = jsonb_build_object(${fields.join(', ')})`);
    await runner.query(`ALTER TABLE "setting" ${NAMES.map((column) => `DROP COLUMN "${column}"`).join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "setting" ${NAMES.map((column) => `ADD "${column}" ${COLUMNS[column]}`).join(', ')}`,
    );
    for (const column of NAMES) {
      const field = fieldOf(column);
      await runner.query(`UPDATE "setting" SET "${column}" = ${columnOf(column)} WHERE changed ? '${field}'`);
    }
    await runner.query(`ALTER TABLE "setting" DROP COLUMN "changed"`);
  }
}
