import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Statement } from '../../src/platform/database/named-parameters.js';

/**
 * Statements that are composed of fragments stand in files named `*.sql.ts`. Their whole texts are in
 * `__snapshots__/statements.test.ts.snap`, so that a change of a fragment shows in every statement that it reaches.
 * `npm run test:unit -- release/statements -u` writes them again.
 */
const source = join(import.meta.dirname, '../../src');

const isStatement = (value: unknown): value is Statement<unknown> => typeof value === 'function' && 'written' in value;

/** The statements of an export: itself, or the forms of one statement by their names. */
const statementsOf = (name: string, value: unknown): [string, string][] =>
  isStatement(value)
    ? [[name, value.written]]
    : Object.entries(value as object).flatMap(([form, one]) => statementsOf(`${name}.${form}`, one));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sql.ts'));

const statements = await Promise.all(
  files.toSorted().map(async (path) => {
    const exported = (await import(join(source, path))) as Record<string, unknown>;
    const found = Object.entries(exported).filter(([, value]) => typeof value !== 'string');
    return found.flatMap(([name, value]) => statementsOf(`${path}: ${name}`, value));
  }),
);

describe('the whole text of', () => {
  it.each(statements.flat())('%s', (_name, written) => {
    expect(written.replaceAll(/ +$/gm, '')).toMatchSnapshot();
  });
});
