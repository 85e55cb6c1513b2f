import type { QueryRunner } from 'typeorm';
import * as all from './all.js';

/** A change of the schema, in a transaction of its own. There is no way back: a backup has the state before it. */
type Migration = new () => { name: string; up(runner: QueryRunner): Promise<void> };

/** The time that ends a name, 13 digits. */
const timeOf = (name: string): number => Number(name.slice(-13));

/** Migrations in order of execution. */
export const migrations = Object.entries<Migration>(all)
  .sort(([a], [b]) => timeOf(a) - timeOf(b))
  .map(([, migration]) => migration);
