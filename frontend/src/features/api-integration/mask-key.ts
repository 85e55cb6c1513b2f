const SHOWN = 8;
const BULLETS = 24;

/** The first characters of a key and a fixed number of bullets, which hide its length. */
export function maskKey(key: string): string {
  return key.slice(0, SHOWN) + '•'.repeat(BULLETS);
}
