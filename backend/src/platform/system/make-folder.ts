import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Makes a folder and those above it; one that is there stays as it is. Node's own `recursive` never comes back from where
 * the system says that a parent is missing which is there, as below /proc.
 * @param options.mode of the folders that are made
 */
export async function makeFolder(path: string, options: { mode?: number } = {}): Promise<void> {
  if (await isFolder(path)) return;
  await makeFolder(dirname(path), options);
  try {
    await mkdir(path, options);
  } catch (error) {
    // Somebody else may have been quicker.
    if (!(await isFolder(path))) throw error;
  }
}
