import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint, readStamp, writeStamp } from '../fingerprint.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/tanya/web-packages');

/** Packages of many modules that tests of the page import: components and icons alone have 4,000. */
const packages = [
  '@chakra-ui/react',
  '@chakra-ui/react/theme',
  '@emotion/react',
  '@lingui/core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'lucide-react',
  'react-markdown',
  'rehype-katex',
  'remark-gfm',
  'remark-math',
];

const nameOf = (specifier) => specifier.replace('@', '').replaceAll('/', '-');

/** Maps the packages to their bundles; a `moduleNameMapper` of Jest. */
export const bundledPackages = Object.fromEntries(
  packages.map((specifier) => [`^${specifier}$`, join(folder, `${nameOf(specifier)}.mjs`)]),
);

/** Bundles the packages. Jest loads each module anew for each test file, which took seconds for those of a component. */
export default async function bundlePackages() {
  const stamp = join(folder, 'stamp');
  const inputs = fingerprint(root, ['package-lock.json', 'scripts/jest/bundle-packages.mjs']);
  if (readStamp(stamp) === inputs) return;
  const [{ build }, { esmExternalRequirePlugin }] = await Promise.all([import('rolldown'), import('rolldown/plugins')]);
  const next = `${folder}-${process.pid}`;
  await build({
    cwd: join(root, 'frontend'),
    input: Object.fromEntries(packages.map((specifier) => [nameOf(specifier), specifier])),
    plugins: [esmExternalRequirePlugin({ external: [/^react(-dom)?($|\/)/] })],
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
