const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);
/** Uploaded files, and files of shared conversations. */
const FILES_PATH = /^\/api\/(share\/[\w-]+\/)?files\//;

function parse(url: string, base?: string): URL | null {
  return URL.canParse(url, base) ? new URL(url, base) : null;
}

/** Passages of files of projects, on this site. */
const PASSAGE_PATH = /^\/projects\/\d+\/files\/[\w-]+\?section=\d+(?:&quote=[^&#\s]*)?$/;

/** The safe address of a link; null if it must be shown as text. Fragments are links to footnotes. */
export function safeLink(url: string): string | null {
  if (url.startsWith('#') || PASSAGE_PATH.test(url)) return url;
  const parsed = parse(url);
  return parsed && LINK_PROTOCOLS.has(parsed.protocol) ? parsed.href : null;
}

/**
 * Whether an image may be loaded without a click. The address of any other image could send text of the conversation to
 * another server.
 */
export function isOwnImage(url: string, origin: string = location.origin): boolean {
  if (/^data:image\//i.test(url)) return true;
  const parsed = parse(url, origin);
  if (!parsed || parsed.origin !== origin) return false;
  return parsed.protocol === 'blob:' || FILES_PATH.test(parsed.pathname);
}
