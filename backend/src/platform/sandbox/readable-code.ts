import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Compiled code and packages. Neither `.env` nor DATA_DIR lies below them. */
const CODE = [
  'node_modules',
  'backend/node_modules',
  'backend/dist',
  'backend/package.json',
  'contract/dist',
  'contract/package.json',
];

/**
 * Paths from which a process may load code. Node's loader looks for packages by the name of a link, and reads them where it
 * leads.
 */
export const readableCode = (): string[] =>
  CODE.map((path) => join(root, path))
    .filter((path) => existsSync(path))
    .flatMap((path) => [...new Set([path, realpathSync(path)])]);
