const SHOWN = 8;
const BULLETS = 24;

/** The first characters of a key, the rest hidden behind a fixed number of bullets. */
export function maskKey(key: string): string {
  return key.slice(0, SHOWN) + '•'.repeat(BULLETS);
}
