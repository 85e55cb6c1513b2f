import type { DataSource, EntityManager } from 'typeorm';
import { withMigrationLock } from '../database/migrate.js';
import type { Cell, SecretBox } from './secret-box.js';

/**
 * Sealed values that a migration has taken out of one cell for another. A migration has no APP_SECRET, so it stores them
 * in the table `moved_secret`; the next start seals them for their new cells and drops the table. The table is dropped and
 * not emptied: who may write rows but not change tables could otherwise have any value sealed for a cell of their own.
 */
export const MOVED_SECRETS = `select sealed, from_table as "fromTable", from_column as "fromColumn", from_row as "fromRow",
  to_table as "toTable", to_column as "toColumn", to_row as "toRow" from moved_secret`;

export const ARE_SECRETS_MOVED = `select to_regclass('moved_secret') is not null as "areMoved"`;

export interface MovedSecret {
  sealed: string;
  fromTable: string;
  fromColumn: string;
  fromRow: number;
  toTable: string;
  toColumn: string;
  toRow: number;
}

/** The cell that a moved value was sealed for. */
export const originOf = ({ fromTable, fromColumn, fromRow }: MovedSecret): Cell => ({
  table: fromTable,
  column: fromColumn,
  row: fromRow,
});

const BATCH = 500;

/** Seals the moved values for their new cells, in one process at a time. Must run before the process reads secrets. */
export function sealMovedSecrets(dataSource: DataSource, secrets: SecretBox): Promise<void> {
  return withMigrationLock(dataSource, async (manager) => {
    const [{ areMoved }] = await manager.query<[{ areMoved: boolean }]>(ARE_SECRETS_MOVED);
    if (!areMoved) return;
    const moved = await manager.query<MovedSecret[]>(MOVED_SECRETS);
    for (const target of new Set(moved.map(targetOf))) {
      const values = moved.filter((value) => targetOf(value) === target);
      for (let first = 0; first < values.length; first += BATCH) {
        await writeSealed(manager, secrets, values.slice(first, first + BATCH));
      }
    }
    await manager.query('drop table moved_secret');
  });
}

const targetOf = ({ toTable, toColumn }: MovedSecret): string => `${toTable}.${toColumn}`;

/** @param values of one column */
async function writeSealed(manager: EntityManager, secrets: SecretBox, values: MovedSecret[]): Promise<void> {
  const { toTable, toColumn } = values[0]!;
  await manager.query(
    `update "${toTable}" t set "${toColumn}" = given.sealed from unnest($1::int[], $2::text[]) as given (id, sealed)
     where t.id = given.id`,
    [
      values.map(({ toRow }) => toRow),
      values.map((value) =>
        secrets.moved(value.sealed, originOf(value), { table: toTable, column: toColumn, row: value.toRow }),
      ),
    ],
  );
}
