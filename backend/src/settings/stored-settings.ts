import { isDeepStrictEqual } from 'node:util';
import {
  type AdminSettings,
  LIMITS,
  PLANS,
  type Setting,
  SETTING_NAMES,
  type SettingName,
  type SettingOf,
  SETTINGS,
  type SettingValue,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import { presentFields } from '../platform/http/present-fields.js';
import { parseDomain } from './email-domains.js';
import { parseLink } from './product-links.js';
import { parseBaseUrl } from '../connections/provider-access.js';
import { refuseField } from '../platform/errors/app-error.js';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';

/** Keys are sealed in columns of their own; so are the base URLs that belong to one. */
type StoredElsewhere = SettingOf<'key'> | 'openrouterBaseUrl' | 'openaiBaseUrl';

export type StoredName = Exclude<SettingName, StoredElsewhere>;

type StoredValue<N extends StoredName> =
  N extends SettingOf<'link' | 'address' | 'webhook' | 'email'>
    ? string | null
    : N extends SettingOf<'plans'>
      ? Partial<SettingValue<N>>
      : SettingValue<N>;

/**
 * The settings as the server reads them: null for an address or link that the environment gives, and for an empty webhook
 * or email. A thing without plans of
 * its own is open to all.
 */
export type StoredSettings = { [N in StoredName]: StoredValue<N> };

const isStored = (name: SettingName): name is StoredName => SETTINGS[name].kind !== 'key' && !('of' in SETTINGS[name]);

const STORED_NAMES = SETTING_NAMES.filter(isStored);

function defaultOf(setting: Setting): unknown {
  if ('default' in setting) return setting.default;
  return setting.kind === 'plans' ? {} : null;
}

const DEFAULTS = Object.fromEntries(
  STORED_NAMES.map((name) => [name, defaultOf(SETTINGS[name])]),
) as unknown as StoredSettings;

export const withDefaults = (changed: Partial<StoredSettings>): StoredSettings => ({ ...DEFAULTS, ...changed });

/**
 * The settings that an update changes, in the form that is stored.
 * @throws AppError `invalid` for an address or link that is not valid
 */
export function changesOf(settings: StoredSettings, update: UpdateSettingsRequest): Partial<StoredSettings> {
  const values = STORED_NAMES.filter((name) => update[name] !== undefined)
    .map((name) => [name, storedValue(name, update[name], settings[name])] as const)
    .filter(([name, value]) => !isDeepStrictEqual(value, settings[name]));
  return Object.fromEntries(values);
}

function storedValue(name: StoredName, given: unknown, stored: unknown): unknown {
  switch (SETTINGS[name].kind) {
    case 'link':
      return parseLink(name, given as string);
    case 'address':
      return parseBaseUrl(name, given as string);
    case 'webhook':
      return parseWebhookUrl(name, given as string);
    case 'email':
      return given || null;
    case 'domains':
      return [...new Set((given as string[] | null)?.map((domain) => parseDomain(domain)!))];
    case 'plans':
    case 'wholes':
    case 'texts':
      return { ...(stored as object), ...presentFields(given as object) };
    case 'switches':
      return { ...(given as object) };
    case 'limits':
      return withParts(stored as Parts, given as Parts);
    default:
      return given;
  }
}

type Parts = Record<string, Partial<Record<string, number>> | undefined>;

const withParts = (stored: Parts, given: Parts): Parts =>
  Object.fromEntries(
    Object.entries(stored).map(([name, parts]) => [name, { ...parts, ...presentFields(given[name] ?? {}) }]),
  );

/** Values as REST calls show them: '' for a link or address that the environment gives. Keys are left out. */
export function shownValues(settings: StoredSettings, names: readonly SettingName[]): Partial<AdminSettings> {
  return Object.fromEntries(names.filter(isStored).map((name) => [name, shownValue(SETTINGS[name], settings[name])]));
}

function shownValue(setting: Setting, value: unknown): unknown {
  if (['link', 'address', 'webhook', 'email'].includes(setting.kind)) return value ?? '';
  if (setting.kind !== 'plans') return value;
  return { ...Object.fromEntries(setting.names.map((name) => [name, PLANS])), ...(value as object) };
}

/**
 * The form in which the address of a webhook is stored: with its path and query as they are. Null for an empty field.
 * @throws AppError `invalid` for other text, and for addresses that are never contacted
 */
function parseWebhookUrl(field: string, given: string): string | null {
  const text = given.trim();
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (!isWeb || url.username || url.password || url.href.length > LIMITS.webhookUrl.max)
    throw refuseField(field, 'webhook');
  // Host names are checked when the webhook is called.
  if (isForbiddenAddress(url.hostname)) throw refuseField(field, 'base_url_forbidden');
  url.hash = '';
  return url.href;
}
