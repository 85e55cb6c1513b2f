import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

/**
 * Creates DATA_DIR and verifies that files can be written there.
 * @throws Error with one sentence for the operator
 */
export async function prepareDataDir(path: string): Promise<void> {
  const probe = join(path, `.probe-${randomUUID()}`);
  try {
    await makeFolder(path);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
  } catch (error) {
    throw new Error(`DATA_DIR ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
