import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Subfolder of a backup that is whole and not yet in the place of the earlier one. */
export const WHOLE = '.new';

/** Puts a whole backup in the place of the earlier one, or ends an attempt that was interrupted. */
export async function putInPlace(folder) {
  const whole = join(folder, WHOLE);
  // A folder without a manifest is no backup, so it goes first and comes last.
  const names = ['tables', 'files', 'manifest.json'].filter((name) => existsSync(join(whole, name)));
  for (const name of names.toReversed()) await rm(join(folder, name), { recursive: true, force: true });
  for (const name of names) await rename(join(whole, name), join(folder, name));
  await rm(whole, { recursive: true, force: true });
}
