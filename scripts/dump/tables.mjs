import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/**
 * Not backed up: heartbeats, logins, rate-limit counts, links to reset passwords, and the migration table, which
 * migrations write.
 */
const EXCLUDED = ['node', 'session', 'rate_limit', 'password_reset', 'password_reset_request', 'migrations'];

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** @returns every table of a backup, parents first, with its writable columns and primary key */
export async function tablesOf(client) {
  const { rows } = await client.query(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       coalesce((select array_agg(a.attname::text order by k.n) from pg_index i
        cross join unnest(i.indkey) with ordinality k (attnum, n)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where i.indrelid = c.oid and i.indisprimary), '{}') as key,
       coalesce((select array_agg(distinct p.relname::text) from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid), '{}') as parents
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1)
     order by c.relname`,
    [EXCLUDED],
  );
  return parentsFirst(rows);
}

function parentsFirst(tables) {
  const ordered = [];
  const place = (table) => {
    if (table === undefined || ordered.includes(table)) return;
    for (const parent of table.parents) place(tables.find(({ name }) => name === parent));
    ordered.push(table);
  };
  tables.forEach(place);
  return ordered;
}

/** Writes one table to `file`, if given. @returns the SHA-256 of its rows in the order of the primary key */
export async function copyOut(client, { name, columns, key }, file = null) {
  const order = key.length > 0 ? ` order by ${key.map(quoted).join(', ')}` : '';
  const select = `select ${columns.map(quoted).join(', ')} from ${quoted(name)}${order}`;
  const hash = createHash('sha256');
  const tap = new PassThrough();
  tap.on('data', (chunk) => hash.update(chunk));
  const end = file === null ? [discard()] : [createGzip(), createWriteStream(file)];
  await pipeline(client.query(copyTo(`copy (${select}) to stdout`)), tap, ...end);
  return hash.digest('hex');
}

/** Empties the tables, and those without a backup that refer to them. */
export async function emptyTables(client, tables) {
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')} cascade`);
}

/** Loads one table. Its triggers are off: the backup contains the rows that they wrote. */
export async function copyIn(client, { name, columns }, file) {
  await client.query(`alter table ${quoted(name)} disable trigger user`);
  const statement = `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`;
  await pipeline(createReadStream(file), createGunzip(), client.query(copyFrom(statement)));
  await client.query(`alter table ${quoted(name)} enable trigger user`);
}

function discard() {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

export async function countRows(client, { name }) {
  const { rows } = await client.query(`select count(*)::int as count from ${quoted(name)}`);
  return rows[0].count;
}

/** @returns the last value of each sequence */
export async function sequencesOf(client) {
  const { rows } = await client.query(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null`,
  );
  return rows;
}

export async function setSequences(client, sequences) {
  for (const { name, value } of sequences) await client.query('select setval($1::regclass, $2)', [quoted(name), value]);
}
