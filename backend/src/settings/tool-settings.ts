import {
  BUILT_IN_TOOLS,
  PLANS,
  type SearchChoice,
  type ToolPlans,
  type ToolSettings,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import { keyChange, maskKey, parseBaseUrl } from '../connections/provider-access.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { SecretBox } from '../platform/secrets/secret-box.js';
import { settingCell, type SettingEntity } from './setting.entity.js';

/** The search services as the settings configure them, without the environment. */
export interface StoredSearch {
  choice: SearchChoice;
  searxngUrl: string | null;
  braveApiKey: string | null;
  tavilyApiKey: string | null;
}

/** The fields of an update that concern the search. */
type SearchChanges = Partial<Omit<ToolSettings, 'builtInTools'>>;

type SearchKey = 'braveApiKey' | 'tavilyApiKey';

const SEARCH_KEYS: readonly SearchKey[] = ['braveApiKey', 'tavilyApiKey'];

const SEALED_COLUMNS = { braveApiKey: 'brave_api_key_sealed', tavilyApiKey: 'tavily_api_key_sealed' } as const;

const SERVICE_NAMES: Record<SearchKey, string> = { braveApiKey: 'Brave', tavilyApiKey: 'Tavily' };

const openKey = (row: SettingEntity, key: SearchKey, secrets: SecretBox): string | null => {
  const sealed = row[`${key}Sealed`];
  return sealed === null ? null : secrets.open(sealed, settingCell(SEALED_COLUMNS[key]));
};

/** A key that was sealed under another APP_SECRET is null. */
export const storedSearch = (row: SettingEntity, secrets: SecretBox): StoredSearch => ({
  choice: row.searchBackend,
  searxngUrl: row.searxngUrl,
  braveApiKey: openKey(row, 'braveApiKey', secrets),
  tavilyApiKey: openKey(row, 'tavilyApiKey', secrets),
});

/** Names of the services whose stored key was sealed under another APP_SECRET. */
export const unreadableSearchKeys = (row: SettingEntity, secrets: SecretBox): string[] =>
  SEARCH_KEYS.filter((key) => row[`${key}Sealed`] !== null && openKey(row, key, secrets) === null).map(
    (key) => SERVICE_NAMES[key],
  );

/** The plans of every built-in tool; a tool without an entry is open to all. */
export const toolPlans = (stored: Partial<ToolPlans>): ToolPlans =>
  Object.fromEntries(BUILT_IN_TOOLS.map((name) => [name, [...(stored[name] ?? PLANS)]])) as ToolPlans;

/**
 * Search services as a change would leave them, without saving it.
 * @throws AppError `invalid` for an address or key that is not valid
 */
export function changedSearch(stored: StoredSearch, changes: SearchChanges): StoredSearch {
  const { searchBackend, searxngUrl } = changes;
  const changed = { ...stored };
  if (searchBackend !== undefined) changed.choice = searchBackend;
  if (searxngUrl !== undefined) changed.searxngUrl = parseBaseUrl('searxngUrl', searxngUrl);
  for (const key of SEARCH_KEYS) {
    const value = keyChange(key, changes[key], stored[key]);
    if (value !== undefined) changed[key] = value;
  }
  return changed;
}

/** Writes the fields of tools into the row. @throws AppError `invalid` */
export function changeTools(row: SettingEntity, changes: UpdateSettingsRequest, secrets: SecretBox): void {
  const { choice, searxngUrl } = changedSearch(storedSearch(row, secrets), changes);
  row.searchBackend = choice;
  row.searxngUrl = searxngUrl;
  for (const key of SEARCH_KEYS) {
    const value = keyChange(key, changes[key], openKey(row, key, secrets));
    if (value !== undefined)
      row[`${key}Sealed`] = value === null ? null : secrets.seal(value, settingCell(SEALED_COLUMNS[key]));
  }
  row.builtInTools = { ...row.builtInTools, ...presentFields(changes.builtInTools ?? {}) };
}

/** The fields for admins. */
export const adminToolSettings = (row: Pick<SettingEntity, 'builtInTools'>, search: StoredSearch): ToolSettings => ({
  builtInTools: toolPlans(row.builtInTools),
  searchBackend: search.choice,
  searxngUrl: search.searxngUrl ?? '',
  braveApiKey: maskKey(search.braveApiKey),
  tavilyApiKey: maskKey(search.tavilyApiKey),
});
