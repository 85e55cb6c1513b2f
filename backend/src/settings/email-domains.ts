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

/** Whether an address is of one of the domains; those below a domain are others. */
export function isOfDomains(email: string, domains: readonly string[]): boolean {
  const domain = parseDomain(email.slice(email.lastIndexOf('@') + 1));
  return domain !== null && domains.includes(domain);
}
