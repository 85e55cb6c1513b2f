import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The functions and triggers of the database stand in a file `functions.sql` of the room that owns them. Migrations made
 * them; the files show what they are now. People write the comments and the order, `npm run test:migrations -- -u` writes
 * the definitions.
 */
const FILE = 'functions.sql';

/** A definition, or the start of one, such as `CREATE FUNCTION name;`. Groups: kind and name. */
const DEFINITION =
  /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?(FUNCTION|TRIGGER) (\w+)[^]*?(?:\$function\$[^]*?\$function\$)?;$/gm;

/** Those of extensions are left out. */
const DEFINITIONS = `
  select 'FUNCTION ' || proname as name, pg_get_functiondef(oid) as definition from pg_proc p
  where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and deptype = 'e')
  union all
  select 'TRIGGER ' || tgname, pg_get_triggerdef(oid, true) from pg_trigger where not tgisinternal
  order by 1`;

/**
 * @param isUpdate whether to write the definitions of the database into the files
 * @throws Error where files and database differ
 */
export async function checkFunctions(dataSource, source, isUpdate) {
  const rows = await dataSource.query(DEFINITIONS);
  const written = rows.map(({ name, definition }) => [name, asWritten(definition)]);
  const files = readdirSync(source, { recursive: true })
    .filter((path) => path.endsWith(FILE))
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));
  if (isUpdate)
    for (const file of files) {
      file.text = updated(file.text, new Map(written));
      writeFileSync(join(source, file.path), file.text);
    }
  const problems = differences(files, written);
  if (problems.length === 0) return written.length;
  const advice = 'npm run test:migrations -- -u writes them';
  throw new Error(`Functions and triggers differ from their files (${advice}):\n  ${problems.join('\n  ')}`);
}

/** A definition of Postgres with its body at the left margin and a trigger on several lines. */
export function asWritten(definition) {
  const text = definition
    .trimEnd()
    .replace(/^(CREATE OR REPLACE FUNCTION )public\./, '$1')
    .replace(/^CREATE (CONSTRAINT )?TRIGGER .*/, (trigger) => trigger.replaceAll(/ (?=FOR EACH |EXECUTE )/g, '\n  '));
  const body = text.indexOf('$function$');
  if (body === -1) return `${text};`;
  const lines = text.slice(body).split('\n');
  const indents = lines.slice(1).flatMap((line) => (line.trim() === '' ? [] : [/^ */.exec(line)[0].length]));
  const margin = Math.min(...indents);
  const moved = lines.map((line, index) => (index === 0 ? line : line.slice(margin)).trimEnd());
  return `${text.slice(0, body)}${moved.join('\n')};`;
}

/** The text of a file with the present definitions. */
export const updated = (text, definitions) =>
  text.replace(DEFINITION, (whole, kind, name) => definitions.get(`${kind} ${name}`) ?? whole);

/**
 * @param files `[{ path, text }]`
 * @param written `[name, definition]` of the database
 */
export function differences(files, written) {
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(DEFINITION)].map(([whole, kind, name]) => ({ path, whole, name: `${kind} ${name}` })),
  );
  const definitions = new Map(written);
  const problems = found
    .filter(({ name }) => !definitions.has(name))
    .map(({ path, name }) => `${path}: the database has no ${name}; take it out`);
  for (const [name, definition] of written) {
    const places = found.filter((one) => one.name === name);
    if (places.length === 0) problems.push(`${name} is in no ${FILE}; write "CREATE ${name};" into that of its room`);
    else if (places.length > 1) problems.push(`${name} is in ${places.map(({ path }) => path).join(' and ')}`);
    else if (places[0].whole !== definition) problems.push(`${places[0].path}: the database has another ${name}`);
  }
  return problems;
}
