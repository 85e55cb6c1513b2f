import { ToolFailure } from '../define-tool.js';

const PORTS = new Set(['', '80', '443']);

/**
 * Parses the address of a page.
 * @param base of a relative address
 * @throws ToolFailure for another scheme than HTTP(S), another port than 80 and 443, and credentials
 */
export function pageAddress(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw new ToolFailure('This is not a valid address. It must begin with https://.');
  const url = new URL(text, base);
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new ToolFailure('Only addresses that begin with https:// or http:// can be read.');
  }
  if (!PORTS.has(url.port)) throw new ToolFailure('Only pages on port 80 and 443 can be read.');
  if (url.username !== '' || url.password !== '') {
    throw new ToolFailure('Addresses with a username or password cannot be read.');
  }
  url.hash = '';
  return url;
}
