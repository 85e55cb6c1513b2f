import { LIMITS, type ProductLinks, settingsOf } from '@tanya/contract';
import { refuseField } from '../platform/errors/app-error.js';

/** Links of the settings row; null where it has none. */
export type StoredLinks = Readonly<ProductLinks>;

/** Links of the environment, which has no variable for some. */
export type EnvironmentLinks = Readonly<Partial<ProductLinks>>;

/**
 * Normalises a link to the form that is stored; null for an empty field.
 * @throws AppError `invalid` for other text, such as a `javascript:` URL
 */
export function parseLink(field: string, given: string): string | null {
  const text = given.trim();
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isAllowed(url) || url.href.length > LIMITS.linkUrl.max) throw refuseField(field, 'link');
  return url.href;
}

/** A host with credentials imitates another address: `https://bank.example@elsewhere.example`. */
function isAllowed(url: URL): boolean {
  if (url.protocol === 'mailto:') return /^[^@]+@[^@]+$/.test(url.pathname);
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}

export function effectiveLinks(stored: StoredLinks, environment: EnvironmentLinks): ProductLinks {
  const links = settingsOf('link').map((name) => [name, stored[name] ?? environment[name] ?? null]);
  return Object.fromEntries(links) as ProductLinks;
}
