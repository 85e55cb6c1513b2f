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
