import type { EntityManager } from 'typeorm';

/** Takes the id of a row to be inserted, for values that depend on it. @param table with an identity column `id` */
export async function nextId(manager: EntityManager, table: string): Promise<number> {
  const sql = `select nextval(pg_get_serial_sequence($1, 'id'))::int as id`;
  const [row] = await manager.query<[{ id: number }]>(sql, [table]);
  return row.id;
}
