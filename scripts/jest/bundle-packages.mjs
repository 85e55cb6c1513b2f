import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint, readStamp, writeStamp } from '../fingerprint.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/tanya/web-packages');

/** Packages of many modules that tests of the page import: components and icons alone have 4,000. */
const packages = [
  '@chakra-ui/react',
  '@chakra-ui/react/theme',
  '@lingui/core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  'katex/contrib/mhchem',
  'lucide-react',
  'react-markdown',
  'rehype-katex',
  'mdast-util-gfm',
  'micromark-extension-gfm',
  'remark-math',
];

const ENTRY = '\0entry:';

/** A static import or export from a package: whether it is of types, the name of its default, the list of its names. */
const IMPORT = /^(?:import|export) (type )?(?:(\w+)(?:, )?)?(?:\{([^}]*)\})? from '([^.'][^']*)';/gm;

/** A name of such a list, unless it is a type. */
const IMPORTED = /(?:^|[,\n])\s*(?!type )(\w+)/g;

const nameOf = (specifier) => specifier.replace('@', '').replaceAll('/', '-');

/** Maps the packages to their bundles; a `moduleNameMapper` of Jest. */
export const bundledPackages = Object.fromEntries(
  packages.map((specifier) => [`^${specifier}$`, join(folder, `${nameOf(specifier)}.mjs`)]),
);

/**
 * Bundles the packages without the exports that no source of the page imports. Jest loads each module anew for each test
 * file, which took seconds for those of a component.
 */
export default async function bundlePackages() {
  const exported = await importedNames();
  const stamp = join(folder, 'stamp');
  const inputs =
    fingerprint(root, ['package-lock.json', 'scripts/jest/bundle-packages.mjs']) + JSON.stringify(exported);
  if (readStamp(stamp) === inputs) return;
  const [{ build }, { esmExternalRequirePlugin }] = await Promise.all([import('rolldown'), import('rolldown/plugins')]);
  const next = `${folder}-${process.pid}`;
  await build({
    cwd: join(root, 'frontend'),
    input: Object.fromEntries(packages.map((specifier) => [nameOf(specifier), ENTRY + specifier])),
    plugins: [entries(exported), esmExternalRequirePlugin({ external: [/^react(-dom)?($|\/)/] })],
    platform: 'browser',
    logLevel: 'silent',
    output: { dir: next, entryFileNames: '[name].mjs', chunkFileNames: 'shared-[name].mjs' },
  });
  writeStamp(join(next, 'stamp'), inputs);
  await rm(folder, { recursive: true, force: true });
  try {
    await rename(next, folder);
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    // Another run has bundled them meanwhile.
    if (readStamp(stamp) !== inputs) throw error;
  }
}

/** The names of the exports of each package that the sources import. */
async function importedNames() {
  const names = new Map(packages.map((specifier) => [specifier, new Set()]));
  // For testing-library.mjs.
  names.get('@testing-library/react').add('configure');
  for (const file of await sources()) {
    const text = await readFile(file, 'utf8');
    for (const [, isType, own, list, specifier] of text.matchAll(IMPORT)) {
      if (isType || !names.has(specifier)) continue;
      if (own) names.get(specifier).add('default');
      for (const [, name] of (list ?? '').matchAll(IMPORTED)) names.get(specifier).add(name);
    }
  }
  return Object.fromEntries([...names].map(([specifier, found]) => [specifier, [...found].sort()]));
}

async function sources() {
  const folders = join(root, 'frontend/src');
  const files = await readdir(folders, { recursive: true });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(folders, file));
}

/** A module for each package that exports only the given names. */
function entries(exported) {
  return {
    name: 'entries',
    resolveId: (id) => (id.startsWith(ENTRY) ? id : undefined),
    async load(id) {
      if (!id.startsWith(ENTRY)) return undefined;
      const specifier = id.slice(ENTRY.length);
      const { id: path } = await this.resolve(specifier, join(root, 'frontend/src/main.tsx'));
      return `export { ${exported[specifier].join(', ')} } from ${JSON.stringify(path)};`;
    },
  };
}
