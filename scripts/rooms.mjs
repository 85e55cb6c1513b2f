import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `node scripts/rooms.mjs` checks that no source folder has outgrown what a reader can take in. */
const ROOTS = ['backend/src', 'frontend/src', 'contract/src', 'backend/test'];
const MAX_FILES = 20;
const SOURCE = /\.(ts|tsx|mjs)$/;
const EXEMPT = /\.test\.tsx?$|\.gen\.ts$|\/migrations\//;

/** @returns `[folder, count]` of each folder with more than 20 source files of its own; subfolders count apart */
export function crowdedRooms(paths) {
  const counts = new Map();
  for (const path of paths) {
    if (!SOURCE.test(path) || EXEMPT.test(path) || !ROOTS.some((root) => path.startsWith(`${root}/`))) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_FILES);
}

/** Prints each crowded folder of the repository and returns their number. */
export function checkRooms() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...ROOTS], {
    encoding: 'utf8',
  });
  const deleted = new Set(
    execFileSync('git', ['ls-files', '--deleted', '--', ...ROOTS], { encoding: 'utf8' }).split('\n'),
  );
  const crowded = crowdedRooms(new Set(listed.split('\n').filter((path) => !deleted.has(path))));
  for (const [folder, count] of crowded) {
    console.error(`${folder} has ${count} source files; split it, ${MAX_FILES} is the limit of a folder`);
  }
  return crowded.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = checkRooms() > 0 ? 1 : 0;
