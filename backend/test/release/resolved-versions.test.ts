import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Versions that fixed known vulnerabilities, in packages that other packages resolve. */
const floors = [
  { name: 'multer', from: '@nestjs/platform-express', floor: [2, 3, 0] },
  { name: 'socket.io-parser', from: 'socket.io', floor: [4, 2, 7] },
  { name: 'engine.io', from: 'socket.io', floor: [6, 6, 7] },
];

const require = createRequire(import.meta.url);

function versionSeenBy(from: string, name: string): number[] {
  const entry = createRequire(require.resolve(from)).resolve(name);
  const root = entry.slice(0, entry.lastIndexOf(join('node_modules', name)));
  const manifest = join(root, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version.split('.').map(Number);
}

function isAtLeast(version: number[], floor: number[]): boolean {
  const different = floor.findIndex((part, index) => part !== version[index]);
  return different === -1 || (version[different] ?? 0) > (floor[different] ?? 0);
}

describe('the installed versions', () => {
  it.each(floors)('$name is at least $floor', ({ name, from, floor }) => {
    expect(isAtLeast(versionSeenBy(from, name), floor)).toBe(true);
  });
});

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

/** npm ci refuses a lock that leaves out an optional package, also one for another system. */
function optionalPackagesMissingIn(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`],
    ),
  );
}

describe('package-lock.json', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };

  it('names the optional packages of all systems, so that npm ci works', () => {
    expect(optionalPackagesMissingIn(lock.packages)).toEqual([]);
  });
});
