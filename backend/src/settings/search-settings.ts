import type { SearchChoice, TestSearchRequest } from '@tanya/contract';
import { keyChange, parseBaseUrl } from '../connections/provider-access.js';
import type { SecretBox } from '../platform/secrets/secret-box.js';
import type { SettingEntity } from './setting.entity.js';
import { openKey, type SettingKey } from './setting-keys.js';
import type { StoredSettings } from './stored-settings.js';

/** The search services as the settings configure them, without the environment. */
export interface StoredSearch {
  choice: SearchChoice;
  searxngUrl: string | null;
  /** A key that was sealed under another APP_SECRET is null. */
  braveApiKey: string | null;
  tavilyApiKey: string | null;
}

const SEARCH_KEYS = ['braveApiKey', 'tavilyApiKey'] as const;

export const storedSearch = (row: SettingEntity, settings: StoredSettings, secrets: SecretBox): StoredSearch => ({
  choice: settings.searchBackend,
  searxngUrl: settings.searxngUrl,
  braveApiKey: openKey(row, 'braveApiKey', secrets),
  tavilyApiKey: openKey(row, 'tavilyApiKey', secrets),
});

/**
 * Search services as a change would leave them, without saving it.
 * @param shown the masks of the stored keys
 * @throws AppError `invalid` for an address or key that is not valid
 */
export function changedSearch(
  stored: StoredSearch,
  changes: TestSearchRequest,
  shown: (key: SettingKey) => string,
): StoredSearch {
  const { searchBackend, searxngUrl } = changes;
  const changed = { ...stored };
  if (searchBackend !== undefined) changed.choice = searchBackend;
  if (searxngUrl !== undefined) changed.searxngUrl = parseBaseUrl('searxngUrl', searxngUrl);
  for (const key of SEARCH_KEYS) {
    const value = keyChange(key, changes[key], shown(key));
    if (value !== undefined) changed[key] = value;
  }
  return changed;
}
