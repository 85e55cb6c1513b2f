import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Written by `scripts/bundle-server.mjs`. The path is the same from `backend/src` and from `backend/dist`. */
const BUILD = fileURLToPath(new URL('../../dist/bundle/build.json', import.meta.url));

/** The version of the built server: a hash of its code, equal for equal sources; `unbuilt` before the first build. */
export function serverVersion(): string {
  if (!existsSync(BUILD)) return 'unbuilt';
  return (JSON.parse(readFileSync(BUILD, 'utf8')) as { version: string }).version;
}
