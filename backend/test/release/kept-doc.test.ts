import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

const [, section] = /^## What is kept, where and how long$(.*?)^## /ms.exec(
  readFileSync(join(root, 'docs/operations.md'), 'utf8'),
)!;

/** The rows of the table without its head: what is kept, and the names of tests. */
const rows = [...section!.matchAll(/^\| (.+?) +\|.*\| ([^|]+?) +\|$/gm)].slice(2).map(([, what, tests]) => ({
  what: what!,
  tests: [...tests!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
}));

it.each(rows)('has a test of how long $what stay', ({ tests }) => {
  expect(tests).not.toEqual([]);
  for (const name of tests) {
    const places = [`backend/test/${name}.integration.test.ts`, `e2e/journeys/${name}.journey.ts`];
    expect([name, places.some((place) => existsSync(join(root, place)))]).toEqual([name, true]);
  }
});
