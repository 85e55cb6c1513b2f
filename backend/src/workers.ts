import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerInfo } from './platform/sockets/sticky-sessions.js';

/** A worker that can't live is not started more often than this, ms. */
const RESTART_PAUSE = 1_000;

/**
 * Runs `count` copies of this process on one port and keeps that many alive. Connections are spread by Node's
 * round-robin; what the copies share is in Postgres and Redis, and they reach one another in a folder of their own.
 * Workers of a terminal get its signals themselves, so only a signal to the primary alone is passed on.
 * @returns resolves when a signal has ended them all
 */
export function superviseWorkers(count: number, log: (line: string) => void): Promise<void> {
  let stopping = false;
  const folder = mkdtempSync(join(tmpdir(), 'tanya-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cluster.setupPrimary({ args: [folder] });
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined);
  for (let index = 0; index < count; index += 1) cluster.fork();
  return new Promise((resolve) => {
    cluster.on('exit', (worker, code, signal) => {
      if (stopping) {
        if (workers().length === 0) resolve();
        return;
      }
      log(`worker ${worker.process.pid} ended (${signal ?? code}); starting another`);
      setTimeout(() => {
        if (!stopping) cluster.fork();
      }, RESTART_PAUSE);
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) return;
        stopping = true;
        if (workers().length === 0) resolve();
        for (const worker of workers()) worker.process.kill('SIGTERM');
      });
    }
  });
}

/** This process among the workers; null where it is none, or one of somebody else's. */
export function workerInfo(): WorkerInfo | null {
  const folder = process.argv[2];
  return cluster.worker === undefined || folder === undefined ? null : { id: cluster.worker.id, folder };
}
