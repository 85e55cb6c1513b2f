import { LIMITS, trimEndOf } from '@tanya/contract';
import { refuseField } from '../platform/errors/app-error.js';
import type { ProviderAccess } from '../providers/provider-kinds.js';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';

export interface StoredAccess extends ProviderAccess {
  /** Also true for a key that cannot be read because APP_SECRET has changed: `apiKey` is then null. */
  hasKey: boolean;
}

/** New values of key and base URL as an admin sends them; undefined keeps the stored value. */
export interface GivenAccess {
  apiKey?: string;
  baseUrl?: string;
}

const DOT = '•';
const DOTS = DOT.repeat(8);

/** Shorter keys are masked completely. */
const SHOWN_FROM = 12;

/**
 * Masks a key for admins: eight dots and the last four characters. One that cannot be read has dots alone: who sends back what
 * they read must not remove it.
 */
export function maskKey(key: string | null, hasKey = key !== null): string {
  if (!hasKey) return '';
  return DOTS + (key !== null && key.length >= SHOWN_FROM ? key.slice(-4) : '');
}

/**
 * Returns the effect of an update on the stored key: undefined keeps it (field absent, or its mask sent back), null
 * removes it, a string replaces it.
 * @param shown the mask of the stored key
 * @throws AppError `invalid` for text that cannot be a key
 */
export function keyChange(field: string, given: string | undefined, shown: string): string | null | undefined {
  const text = given?.trim();
  if (text === undefined || text === shown) return undefined;
  if (text === '') return null;
  if (!/^[\x21-\x7e]+$/.test(text)) throw refuseField(field, 'api_key');
  return text;
}

/**
 * Normalises a base URL to the form that is stored and compared; null for an empty field.
 * @throws AppError `invalid` for other text, and for addresses that no provider may have
 */
export function parseBaseUrl(field: string, given: string): string | null {
  const text = given.trim();
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || text.length > LIMITS.baseUrl.max) {
    throw refuseField(field, 'base_url');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw refuseField(field, 'base_url_parts');
  }
  // Cloud metadata services give out the machine's credentials. Host names are checked when the provider connects.
  if (isForbiddenAddress(url.hostname)) {
    throw refuseField(field, 'base_url_forbidden');
  }
  return trimEndOf(url.href, '/');
}

/**
 * Checks a change of key and base URL.
 * @param fields names of the two input fields
 * @param parse normalises the base URL
 * @returns the base URL, and the key as `keyChange` does
 * @throws AppError `invalid`, also for a new base URL without the stored key: an admin, who cannot read the key, could
 * otherwise send it to another host
 */
export function accessChange(
  fields: Record<keyof ProviderAccess, string>,
  given: GivenAccess,
  stored: StoredAccess,
  parse = parseBaseUrl,
): { baseUrl: string | null; apiKey: string | null | undefined } {
  const apiKey = keyChange(fields.apiKey, given.apiKey, maskKey(stored.apiKey, stored.hasKey));
  const baseUrl = given.baseUrl === undefined ? stored.baseUrl : parse(fields.baseUrl, given.baseUrl);
  if (baseUrl !== stored.baseUrl && apiKey === undefined && stored.hasKey) {
    throw refuseField(fields.apiKey, 'base_url_key');
  }
  return { baseUrl, apiKey };
}

/**
 * Combines settings and environment; settings take precedence. A base URL from the settings is never combined with the
 * key from the environment, which belongs to another host.
 */
export function effectiveAccess({ apiKey, baseUrl }: ProviderAccess, environment: ProviderAccess): ProviderAccess {
  if (baseUrl !== null && baseUrl !== trimEndOf(environment.baseUrl ?? '', '/')) return { apiKey, baseUrl };
  return { apiKey: apiKey ?? environment.apiKey, baseUrl: environment.baseUrl };
}
