import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `node scripts/checks/rooms.mjs` checks that no source folder has outgrown what a reader can take in, and that the tables of
 * ARCHITECTURE.md for `backend/src` and `frontend/src` name the folders that exist.
 */
const ROOTS = ['backend/src', 'frontend/src', 'contract/src', 'backend/test', 'scripts'];
const MAX_FILES = 20;
const SOURCE = /\.(ts|tsx|mjs)$/;
const EXEMPT = /\.test\.(tsx?|mjs)$|\.gen\.ts$|\/migrations\//;

/** @returns `[folder, count]` of each folder with more than 20 source files of its own; subfolders count apart */
export function crowdedRooms(paths) {
  const counts = new Map();
  for (const path of paths) {
    if (!SOURCE.test(path) || EXEMPT.test(path) || !ROOTS.some((root) => path.startsWith(`${root}/`))) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_FILES);
}

/**
 * Compares source folders with the first column of the tables below headings such as "## Page: `frontend/src`".
 * @returns `missing`: folders below such a heading's folder that no table names; `unknown`: names of folders without sources
 */
export function unnamedRooms(paths, architecture) {
  const { roots, named } = namedRooms(architecture);
  const folders = new Set([...paths].filter((path) => SOURCE.test(path)).map((path) => dirname(path)));
  const isIn = (folder, parent) => `${folder}/`.startsWith(`${parent}/`);
  return {
    missing: [...folders].filter((folder) => roots.some((root) => isIn(folder, root)) && !named.has(folder)),
    unknown: [...named].filter((name) => ![...folders].some((folder) => isIn(folder, name))),
  };
}

function namedRooms(architecture) {
  const roots = [];
  const named = new Set();
  for (const section of architecture.split(/^#+ /m)) {
    const root = /^.*?`(.+)`/.exec(section)?.[1];
    const cells = [...section.matchAll(/^\| (`.+?|\(root\)) +\|/gm)].map(([, cell]) => cell);
    if (root === undefined || cells.length === 0) continue;
    roots.push(root);
    for (const cell of cells) {
      if (cell === '(root)') named.add(root);
      for (const [, name] of cell.matchAll(/`(.+?)`/g)) named.add(`${root}/${name}`);
    }
  }
  return { roots, named };
}

/** Prints each crowded folder of the repository and each wrong name in ARCHITECTURE.md, and returns their number. */
export function checkRooms() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...ROOTS], {
    encoding: 'utf8',
  });
  const deleted = new Set(
    execFileSync('git', ['ls-files', '--deleted', '--', ...ROOTS], { encoding: 'utf8' }).split('\n'),
  );
  const paths = new Set(listed.split('\n').filter((path) => !deleted.has(path)));
  const { missing, unknown } = unnamedRooms(paths, readFileSync('ARCHITECTURE.md', 'utf8'));
  const problems = [
    ...crowdedRooms(paths).map(
      ([folder, count]) => `${folder} has ${count} source files; split it, ${MAX_FILES} is the limit of a folder`,
    ),
    ...missing.map((folder) => `ARCHITECTURE.md does not name ${folder}; add a row that says what it contains`),
    ...unknown.map((folder) => `ARCHITECTURE.md names ${folder}, which has no source files`),
  ];
  for (const problem of problems) console.error(problem);
  return problems.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = checkRooms() > 0 ? 1 : 0;
