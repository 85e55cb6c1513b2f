import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

const TEST_FOLDERS = ['backend/src', 'backend/test', 'frontend/src', 'e2e/journeys'];
const TEST_FILE = /^(.+?)(\.integration)?\.(test\.tsx?|journey\.ts)$/;

const withoutComments = (code: string) => code.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

/** The code of each test file by `folder/name` and by `name` alone. */
const tests = new Map<string, string>();
for (const folder of TEST_FOLDERS) {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    const name = TEST_FILE.exec(basename(path))?.[1];
    if (name === undefined) continue;
    const code = withoutComments(readFileSync(join(root, folder, path), 'utf8'));
    const withFolder = `${basename(dirname(join(root, folder, path)))}/${name}`;
    for (const key of [name, withFolder]) tests.set(key, (tests.get(key) ?? '') + code);
  }
}

const document = readFileSync(join(root, 'docs/security.md'), 'utf8');
const [, section = ''] = document.split('## What is tried');
const rows = [...section.split('\n## ')[0]!.matchAll(/^\| ([A-Z]+-\d+) .*\|(.*)\|$/gm)].map(
  ([, id, where]): [string, string[]] => [id!, [...where!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)],
);

describe('docs/security.md', () => {
  it('has a row for each attack, and each row once', () => {
    const ids = rows.map(([id]) => id);
    expect(ids.length).toBeGreaterThan(70);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(rows)('names tests that have %s in a title', (id, names) => {
    expect(names).not.toEqual([]);
    const missing = names.filter((name) => !new RegExp(`\\b${id}\\b(?!\\d)`).test(tests.get(name) ?? ''));
    expect(missing).toEqual([]);
  });

  it('names tests of ASVS that exist', () => {
    const [, asvs = ''] = document.split('### ASVS 5, chapters 6');
    const cells = [...asvs.split('\n## ')[0]!.matchAll(/^\|.*\|(.*)\|$/gm)].map(([, cell]) => cell!);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !tests.has(name))).toEqual([]);
  });

  it('has a row for every attack that a test names', () => {
    const known = new Set([...rows.map(([id]) => id)]);
    const named = [...tests.values()].flatMap((code) => [
      ...code.matchAll(/\b(?:AU|BOOT|ADM|AZ|MA|PP|TX|CS|WS|KEY|SET|UP|XSS|HDR|SSRF|TOOL|LIM|SH|IMP|SSO)-\d+\b/g),
    ]);
    expect([...new Set(named.map(([id]) => id))].filter((id) => !known.has(id))).toEqual([]);
  });
});
