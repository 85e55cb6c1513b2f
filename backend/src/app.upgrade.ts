import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { OTHER_VERSION_RUNS, storeNode } from './chat/nodes/node.entity.js';
import type { Timings } from './config/timings.js';
import { isSchemaNewer, migrate, withMigrationLock } from './platform/database/migrate.js';
import type { Logger } from './platform/observability/logging.js';

/** Pause between two looks at the nodes of another version, ms. */
const PAUSE_MS = 500;

interface Upgrade {
  version: string;
  timings: Pick<Timings, 'nodeDead' | 'rolloutWait'>;
  logger: Logger;
  /** Whether no other process can use the database, so that a node in it that still beats has been killed. */
  isAlone: boolean;
  /** The node that starts; null for a process that only migrates. */
  node: { id: string; hostname: string } | null;
  signal?: AbortSignal;
}

/**
 * Brings the database to the schema of this version, once no node of another version runs, and registers the node that
 * starts. Versions run one after another: they share neither schema nor events.
 * @returns the names of the migrations that this call has run
 * @throws Error for users when the schema is newer than this version, or when another one still runs after
 *   `timings.rolloutWait`
 */
export async function upgrade(dataSource: DataSource, options: Upgrade): Promise<string[]> {
  const { timings, logger, signal } = options;
  const deadline = performance.now() + timings.rolloutWait;
  for (let attempts = 0; ; attempts += 1) {
    const applied = await withMigrationLock(dataSource, (manager) => tryUpgrade(dataSource, manager, options), signal);
    if (applied !== null) return applied;
    if (performance.now() + PAUSE_MS > deadline) {
      throw new Error(
        `Nodes of another version still run after ${timings.rolloutWait / 1000} s. Stop them before this version starts.`,
      );
    }
    if (attempts === 0) logger.warn('nodes of another version run; waiting for their end');
    await sleep(PAUSE_MS);
    signal?.throwIfAborted();
  }
}

/**
 * It asks outside the transaction of the lock, which would keep what it has read locked against the migrations.
 * @returns null while nodes of another version run
 */
async function tryUpgrade(
  dataSource: DataSource,
  manager: EntityManager,
  { version, timings, isAlone, node }: Upgrade,
): Promise<string[] | null> {
  if (await isSchemaNewer(dataSource)) {
    throw new Error(
      'The database has the schema of a newer version. Start that version, or restore a backup from before its upgrade.',
    );
  }
  const [table] = await dataSource.query<[{ exists: boolean }]>(`select to_regclass('node') is not null as exists`);
  if (table.exists && !isAlone) {
    const [others] = await dataSource.query<[{ run: boolean }]>(OTHER_VERSION_RUNS, [version, timings.nodeDead]);
    if (others.run) return null;
  }
  const applied = await migrate(dataSource);
  if (node !== null) await manager.query(...storeNode({ ...node, version }));
  return applied;
}
