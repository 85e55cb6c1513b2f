import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * The SQL of a table stands in the room that declares its entity; `chat` is one room. A statement that touches tables of several
 * rooms imports a fragment (`*-sql.ts`) from each owner: its own strings name only tables of its own room.
 */
const source = join(import.meta.dirname, '../../src');

/** The folder of a path below `src`. */
const roomOf = (path: string): string => /^[^/]+/.exec(path)![0];

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/migrations/'))
  .map((path) => ({ path, code: readFileSync(join(source, path), 'utf8') }));

/** The owning room of each table, read from `@Entity('…')`. */
const owners = new Map(
  files.flatMap(({ path, code }) =>
    [...code.matchAll(/@Entity\('(\w+)'\)/g)].map(([, table]): [string, string] => [table!, roomOf(path)]),
  ),
);

/** A table name after the word that introduces it, with the other tables of a comma-separated list. */
const item = String.raw`(?:only\s+)?"?\w+"?(?:\s+(?:as\s+)?(?!on\b|where\b|set\b|join\b|using\b)\w+)?`;
const TABLES = new RegExp(String.raw`\b(?:from|join|into|update|table|using)\s+(${item}(?:\s*,\s*${item})*)`, 'gi');

/** The tables that a piece of SQL names. */
function tablesIn(sql: string): string[] {
  const lists = [...sql.matchAll(TABLES)].flatMap(([, list]) => list!.split(','));
  const names = lists.map((entry) => /^\s*(?:only\s+)?"?(\w+)"?/i.exec(entry)?.[1] ?? '');
  return [...new Set(names.filter((name) => owners.has(name)))];
}

/** The string literals of a file. A hole of a template is left out: its fragment is checked where it is declared. */
function stringsOf(path: string, code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ? '));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true));
  return found;
}

const strangers = files.flatMap(({ path, code }) =>
  stringsOf(path, code)
    .flatMap(tablesIn)
    .filter((table) => owners.get(table) !== roomOf(path))
    .map((table) => `${path}: ${table}`),
);

describe('the SQL of a table', () => {
  it('is found in every form in which the code writes it', () => {
    expect(owners.size).toBeGreaterThan(10);
    expect(tablesIn('select 1 from thread t, message m where true')).toEqual(['thread', 'message']);
    expect(tablesIn('update "user" set a = 1')).toEqual(['user']);
    expect(tablesIn('insert into quota_account as a (owner) select 1')).toEqual(['quota_account']);
    expect(tablesIn('delete from file using thread where a = b')).toEqual(['file', 'thread']);
    expect(tablesIn('lock table model in share mode')).toEqual(['model']);
    expect(tablesIn('with words as (select 1) select * from words for update of words')).toEqual([]);
  });

  it('stands in the room of its entity', () => {
    expect([...new Set(strangers)]).toEqual([]);
  });
});
