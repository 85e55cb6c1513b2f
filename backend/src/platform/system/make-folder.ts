import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its parents; existing folders stay unchanged. Node's `recursive` option never returns below /proc,
 * where mkdir fails with ENOENT although the parent exists.
 * @param options.mode mode of the created folders
 */
export async function makeFolder(path: string, options: { mode?: number } = {}): Promise<void> {
  if (await isFolder(path)) return;
  await makeFolder(dirname(path), options);
  try {
    await mkdir(path, options);
  } catch (error) {
    // A concurrent call may have created it.
    if (!(await isFolder(path))) throw error;
  }
}
