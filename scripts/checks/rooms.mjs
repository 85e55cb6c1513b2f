import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `node scripts/checks/rooms.mjs` checks that no source folder has outgrown what a reader can take in, and that each folder of
 * `backend/src` and `frontend/src` is explained in one place: an inner folder at the head of the module of its room, every
 * other one in the trees of ARCHITECTURE.md.
 */
const ROOTS = ['backend/src', 'frontend/src', 'contract/src', 'backend/test', 'scripts'];
const MAX_FILES = 20;
const SOURCE = /\.(ts|tsx|mjs)$/;
const EXEMPT = /\.test\.(tsx?|mjs)$|\.gen\.ts$|\/migrations\//;
const MODULE = /\.module\.ts$/;
const MAP = 'ARCHITECTURE.md';

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
 * Compares source folders with their explanations. ARCHITECTURE.md has a tree below each heading such as
 * "## Page: `frontend/src`"; the head of a `*.module.ts` lists the folders inside its room.
 * @param read returns the text of a file
 * @returns `missing`: `[folder, file]` where the file has to name the folder; `unknown`: `[folder, file]` where the file names a
 *   folder without sources; `silent`: modules that do not start with a comment
 */
export function unexplainedRooms(paths, read) {
  const { roots, named } = treesOf(read(MAP));
  const sources = [...paths].filter((path) => SOURCE.test(path) && roots.some((root) => path.startsWith(`${root}/`)));
  const modules = sources.filter((path) => MODULE.test(path)).map((path) => ({ path, head: headOf(read(path)) }));
  const namesIn = new Map([
    [MAP, named],
    ...modules.map(({ path, head }) => [path, namedInHead(head).map((name) => `${dirname(path)}/${name}`)]),
  ]);
  const folders = [...new Set(sources.map((path) => dirname(path)))].filter((folder) => !roots.includes(folder));
  const placeOf = (folder) => {
    const around = modules.filter(({ path }) => !roots.includes(dirname(path)) && isInside(folder, dirname(path)));
    return around.toSorted((a, b) => dirname(b.path).length - dirname(a.path).length)[0]?.path ?? MAP;
  };
  return {
    missing: folders
      .map((folder) => [folder, placeOf(folder)])
      .filter(([folder, place]) => !namesIn.get(place).some((name) => isNamed(folder, name))),
    unknown: [...namesIn].flatMap(([place, names]) =>
      names
        .filter((name) => !folders.some((folder) => isNamed(folder, name) || isInside(folder, name)))
        .map((name) => [name, place]),
    ),
    silent: modules.filter(({ head }) => head === '').map(({ path }) => path),
  };
}

/** A name such as `admin-*` is that of each folder that begins so. */
const isNamed = (folder, name) =>
  name.endsWith('*') ? dirname(folder) === dirname(name) && folder.startsWith(name.slice(0, -1)) : folder === name;

const isInside = (folder, around) => folder.startsWith(`${around}/`);

/** A line of a tree starts with its folder; the text to the right, on further lines too, names folders inside as `inner/`. */
const TREE_LINE = /^( {0,8})([\w-]+)\/(?=\s|$)/;
const INNER = /(?<![\w./-])([\w-]+(?:\/[\w-]+)*\*?)\/(?=[\s,;:.)]|$)/g;

function treesOf(architecture) {
  const roots = [];
  const named = [];
  for (const section of architecture.split(/^## /m)) {
    const root = /^.*?`(.+)`/.exec(section)?.[1];
    const tree = /^```\n([^]*?)^```/m.exec(section)?.[1];
    if (root === undefined || tree === undefined) continue;
    roots.push(root);
    let around = [{ indent: -1, path: root }];
    for (const line of tree.split('\n')) {
      const [start, { length: indent } = '', name] = TREE_LINE.exec(line) ?? [''];
      if (name !== undefined) {
        around = around.filter((folder) => folder.indent < indent);
        around.push({ indent, path: `${around.at(-1).path}/${name}` });
        named.push(around.at(-1).path);
      }
      for (const [, inner] of line.slice(start.length).matchAll(INNER)) named.push(`${around.at(-1).path}/${inner}`);
    }
  }
  return { roots, named };
}

const headOf = (source) => /^\/\*\*[^]*?\*\//.exec(source)?.[0] ?? '';

/** The folders of list items such as "- `usage`: the rollup". */
const namedInHead = (head) => [...head.matchAll(/^ \* - `([\w/-]+)`: /gm)].map(([, name]) => name);

/** Prints each crowded folder and each folder without its explanation, and returns their number. */
export function checkRooms() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...ROOTS], {
    encoding: 'utf8',
  });
  const deleted = new Set(
    execFileSync('git', ['ls-files', '--deleted', '--', ...ROOTS], { encoding: 'utf8' }).split('\n'),
  );
  const paths = new Set(listed.split('\n').filter((path) => !deleted.has(path)));
  const { missing, unknown, silent } = unexplainedRooms(paths, (path) => readFileSync(path, 'utf8'));
  const problems = [
    ...crowdedRooms(paths).map(
      ([folder, count]) => `${folder} has ${count} source files; split it, ${MAX_FILES} is the limit of a folder`,
    ),
    ...missing.map(
      ([folder, place]) => `${place} does not name ${folder}; say there, in its ${kindOf(place)}, what it contains`,
    ),
    ...unknown.map(([folder, place]) => `${place} names ${folder} in its ${kindOf(place)}, which has no source files`),
    ...silent.map((path) => `${path} does not start with a comment; say there what belongs to the room`),
  ];
  for (const problem of problems) console.error(problem);
  return problems.length;
}

const kindOf = (place) => (place === MAP ? 'trees' : 'first comment');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = checkRooms() > 0 ? 1 : 0;
