import type { UpdateSettingsRequest } from '@tanya/contract';
import { keyChange, maskKey } from '../connections/provider-access.js';
import type { Cell, SecretBox } from '../platform/secrets/secret-box.js';
import type { SettingEntity } from './setting.entity.js';

/** The keys of the settings that no connection has, with their columns. */
const COLUMNS = {
  braveApiKey: 'brave_api_key_sealed',
  tavilyApiKey: 'tavily_api_key_sealed',
  alertWebhookSecret: 'alert_webhook_secret_sealed',
} as const;

export type SettingKey = keyof typeof COLUMNS;

export const SETTING_KEYS = Object.keys(COLUMNS) as SettingKey[];

const cellOf = (key: SettingKey): Cell => ({ table: 'setting', column: COLUMNS[key], row: 1 });

/** null without a key, and for one that was sealed under another APP_SECRET. */
export function openKey(row: SettingEntity, key: SettingKey, secrets: SecretBox): string | null {
  const sealed = row[`${key}Sealed`];
  return sealed === null ? null : secrets.open(sealed, cellOf(key));
}

/** A key as admins see it. */
export const maskedKey = (row: SettingEntity, key: SettingKey, secrets: SecretBox): string =>
  maskKey(openKey(row, key, secrets), row[`${key}Sealed`] !== null);

/** Writes changed keys into the row. @throws AppError `invalid` for text that cannot be a key */
export function writeKeys(row: SettingEntity, changes: UpdateSettingsRequest, secrets: SecretBox): void {
  for (const key of SETTING_KEYS) {
    const value = keyChange(key, changes[key], maskedKey(row, key, secrets));
    if (value !== undefined) row[`${key}Sealed`] = value === null ? null : secrets.seal(value, cellOf(key));
  }
}
