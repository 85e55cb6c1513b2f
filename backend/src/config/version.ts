import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The paths are the same from `backend/src`, from `backend/dist` and from its bundle. */
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

/** Written by `scripts/bundle-server.mjs`. */
const BUILD = fileURLToPath(new URL('../../dist/bundle/build.json', import.meta.url));

/** The version of the built server: a hash of its code, equal for equal sources; `unbuilt` before the first build. */
export function serverVersion(): string {
  if (!existsSync(BUILD)) return 'unbuilt';
  return (JSON.parse(readFileSync(BUILD, 'utf8')) as { version: string }).version;
}

/** The version that people know, as the package has it. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
}
