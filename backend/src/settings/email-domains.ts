import { domainToASCII } from 'node:url';

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 253;

/** Ends a domain in an address; `domainToASCII` would cut the text there. */
const DELIMITER = /[\s/?#:@\\]/;

/** A domain in lower case and ASCII; null for other text. */
export function parseDomain(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  const trimmed = text.trim();
  if (DELIMITER.test(trimmed)) return null;
  const domain = domainToASCII(trimmed.toLowerCase());
  return domain.length <= MAX_LENGTH && DOMAIN.test(domain) ? domain : null;
}

/**
 * Before the domain: what a mail server may read as another address. A quoted part can hold one, `%` and `!` name a host to
 * pass the mail on to, and some servers decode encoded words first.
 */
const AMBIGUOUS = /["%!@\s<>(),:;[\\\]]|=\?/;

/** Whether a mail to an address arrives at one of the domains; those below a domain are others. */
export function isOfDomains(email: string, domains: readonly string[]): boolean {
  const at = email.lastIndexOf('@');
  const domain = parseDomain(email.slice(at + 1));
  return domain !== null && domains.includes(domain) && !AMBIGUOUS.test(email.slice(0, at));
}
