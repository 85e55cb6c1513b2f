const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);
const FILES_PATH = '/api/files/';

function parse(url: string, base?: string): URL | null {
  return URL.canParse(url, base) ? new URL(url, base) : null;
}

/** The address a link in a message may lead to; null where it must stay text. Fragments are the footnotes' own. */
export function safeLink(url: string): string | null {
  if (url.startsWith('#')) return url;
  const parsed = parse(url);
  return parsed && LINK_PROTOCOLS.has(parsed.protocol) ? parsed.href : null;
}

/**
 * Whether an image may be loaded without asking. Anything else would tell a stranger that, and by its address what,
 * somebody reads here.
 */
export function isOwnImage(url: string, origin: string = location.origin): boolean {
  if (/^data:image\//i.test(url)) return true;
  const parsed = parse(url, origin);
  if (!parsed || parsed.origin !== origin) return false;
  return parsed.protocol === 'blob:' || parsed.pathname.startsWith(FILES_PATH);
}
