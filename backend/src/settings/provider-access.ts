import { LIMITS } from '@tanya/contract';
import { invalidField } from '../platform/errors/app-error.js';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';

/** Key and address of one provider; null is "not set". */
export interface Access {
  apiKey: string | null;
  baseUrl: string | null;
}

const DOT = '•';
const DOTS = DOT.repeat(8);

/** Keys that are shorter than this show nothing of themselves. */
const SHOWN_FROM = 12;

/** What admins see of a key: that there is one, and its last four characters. */
export function maskKey(key: string | null): string {
  if (key === null) return '';
  return DOTS + (key.length >= SHOWN_FROM ? key.slice(-4) : '');
}

/**
 * What a change does to the stored key: undefined keeps it (left out, or its mask sent back), null removes it, a text
 * replaces it.
 * @throws AppError for what no key can be
 */
export function keyChange(field: string, given: string | undefined, stored: string | null): string | null | undefined {
  const text = given?.trim();
  if (text === undefined || (stored !== null && text === maskKey(stored))) return undefined;
  if (text === '') return null;
  if (!/^[\x21-\x7e]+$/.test(text)) throw invalidField(field, 'This is not an API key.');
  return text;
}

/**
 * A provider's address in the one form that is stored and compared.
 * @throws AppError for what is none
 */
export function parseBaseUrl(field: string, given: string): string | null {
  const text = given.trim();
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || text.length > LIMITS.baseUrl.max) {
    throw invalidField(field, 'Please enter an address that begins with http:// or https://');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw invalidField(field, 'The address must not hold credentials, a query or a fragment.');
  }
  // Cloud metadata services give out the machine's credentials. Host names are checked when the provider connects.
  if (isForbiddenAddress(url.hostname)) {
    throw invalidField(field, 'This address is not allowed.');
  }
  return url.href.replace(/\/+$/, '');
}

/**
 * Key and address that are used: the settings stand above the environment. An address from the settings never gets the
 * environment's key, which was given for another host.
 */
export function effectiveAccess(settings: Access, environment: Access): Access {
  if (settings.baseUrl !== null && settings.baseUrl !== environment.baseUrl?.replace(/\/+$/, '')) return settings;
  return { apiKey: settings.apiKey ?? environment.apiKey, baseUrl: environment.baseUrl };
}
