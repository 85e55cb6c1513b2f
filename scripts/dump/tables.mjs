import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/**
 * Not backed up: heartbeats, logins, rate-limit counts, links to reset passwords, and the migration table, which
 * migrations write.
 */
const EXCLUDED = ['node', 'session', 'rate_limit', 'password_reset', 'password_reset_request', 'migrations'];

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** @returns every table of a backup, parents first, with its writable columns */
export async function tablesOf(client) {
  const { rows } = await client.query(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
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

/** Begins a transaction in which values have the same text in every database, whatever its settings are. */
export async function beginCopying(client, mode = '') {
  await client.query(`begin ${mode}`);
  await client.query(
    `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0`,
  );
}

/** Writes one table to a file. @returns the SHA-256 of its rows */
export async function copyOut(client, { name, columns }, file) {
  const hash = createHash('sha256');
  const tap = new PassThrough();
  tap.on('data', (chunk) => hash.update(chunk));
  const rows = client.query(copyTo(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`));
  await pipeline(rows, tap, createGzip(), createWriteStream(file));
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
