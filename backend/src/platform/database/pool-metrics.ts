import type { Pool } from 'pg';
import type { Metrics } from '../observability/metrics.js';

/** Gauges of the Postgres connection pool. */
export function reportPool(metrics: Metrics, pool: Pool): void {
  metrics.gauge('tanya_pg_connections', 'Connections of the Postgres pool', () => pool.totalCount);
  metrics.gauge('tanya_pg_connections_idle', 'Idle connections of the Postgres pool', () => pool.idleCount);
  metrics.gauge('tanya_pg_waiting', 'Requests that wait for a connection of the pool', () => pool.waitingCount);
}
