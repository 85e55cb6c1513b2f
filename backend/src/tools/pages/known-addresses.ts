/**
 * The form in which addresses are compared: host, path and query, without scheme, fragment and a slash at the end. Null for
 * text that is not an address. A bare `example.com/a` counts as an address, because people write it.
 */
function keyOf(address: string): string | null {
  const text = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) return null;
  const { host, pathname, search } = new URL(text);
  return `${host}${pathname.replace(/\/$/, '')}${search}`;
}

/** Whether a model may read an address without asking: path and query must be the same, because they can carry text out. */
export function isKnownAddress(url: URL, known: readonly string[]): boolean {
  const key = keyOf(url.href);
  return known.some((address) => keyOf(address) === key);
}
