import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));

/** The packages that `file` and the files it imports load before their first line runs. */
function packagesOf(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?'([^']+)';$/gm)];
  return imports.flatMap(([, name]) => {
    if (name.startsWith('.')) return packagesOf(join(dirname(file), name), seen);
    return name.startsWith('node:') || builtinModules.includes(name) ? [] : [`${name} in ${file}`];
  });
}

describe('commands of a fresh clone', () => {
  test.each(['start.mjs', 'test.mjs', 'build.mjs'])('%s loads no package before it installs them', (script) => {
    expect(packagesOf(join(scripts, script))).toEqual([]);
  });

  test('the search finds a package behind a relative import', () => {
    expect(packagesOf(join(scripts, 'testing/test-parts.mjs'))).toContainEqual(
      expect.stringMatching(/^typescript in .*prose/),
    );
  });
});
