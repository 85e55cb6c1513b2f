import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tanya-';
const GIB = 2 ** 30;
const HOUR_MS = 60 * 60 * 1000;

/** A run of all tests had half a GiB in the folder, and its processes used 4 GiB of memory. */
const NEEDED = { inFolder: 3 * GIB, free: 8 * GIB };

/**
 * Makes a folder in memory the one for temporary files of this process and its children, until it ends, where there is room
 * for it. Databases of tests are created and deleted every second: on a disk, a twelfth of the CPU time of the integration
 * tests was the search of ext4 for free inodes.
 */
export function useMemoryFolder() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  removeUnused(MEMORY);
  const folder = mkdtempSync(join(MEMORY, PREFIX));
  // Like `/tmp`: for root, Postgres runs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => remove(folder));
}

/** Removes the folders of runs that were killed. Nothing was created in them for an hour. */
export function removeUnused(memory) {
  for (const name of readdirSync(memory).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(memory, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > HOUR_MS) remove(folder);
  }
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.error(`Temporary files stay in memory until they are removed: ${error.message}`);
  }
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED.inFolder && freemem() >= NEEDED.free;
  } catch {
    return false;
  }
}
