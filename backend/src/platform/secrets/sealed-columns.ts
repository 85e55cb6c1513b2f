import { statement } from '../database/named-parameters.js';
/** A column of sealed values: every text column whose name ends with `_sealed`, of a table with a single primary key. */
export interface SealedColumn {
  table: string;
  column: string;
  key: string;
  /** Whether Postgres refuses values of the first format. */
  isBound: boolean;
}

/** The name of the constraint that refuses values of the first format. */
const boundConstraint = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string =>
  `${table}_${column}_bound`;

export const SEALED_COLUMNS = `
select c.relname as "table", a.attname as "column", k.attname as "key", exists (
    select from pg_constraint b where b.conrelid = c.oid and b.contype = 'c'
    and b.conname = c.relname || '_' || a.attname || '_bound'
  ) as "isBound"
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname like '%\\_sealed' and not a.attisdropped
join pg_index i on i.indrelid = c.oid and i.indisprimary join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0]
where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1, 2`;

const quoted = (name: string): string => `"${name}"`;

/** Sealed values with their rows, by primary key: $1 values with this beginning are left out, $2 rows up to this one. */
export const selectSealed = ({ table, column, key }: SealedColumn): string => `
select ${quoted(key)} as "row", ${quoted(column)} as "sealed" from ${quoted(table)}
where ${quoted(column)} is not null and not starts_with(${quoted(column)}, $1) and ${quoted(key)} > $2
order by ${quoted(key)}`;

/** A value that has changed meanwhile stays. */
export const updateSealed = ({ table, column, key }: SealedColumn) =>
  statement<{ rows: number[]; sealed: string[]; resealed: string[] }>(`
update ${quoted(table)} t set ${quoted(column)} = given.resealed
from unnest(:rows::int[], :sealed::text[], :resealed::text[]) as given (id, sealed, resealed)
where t.${quoted(key)} = given.id and t.${quoted(column)} = given.sealed`);

/** Refuses values of the first format from now on. */
export const refuseUnbound = (sealed: SealedColumn): string => `
alter table ${quoted(sealed.table)} add constraint ${quoted(boundConstraint(sealed))}
check (${quoted(sealed.column)} ~ '^v2w?[.]')`;
