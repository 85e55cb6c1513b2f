import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RestartBackoff } from './platform/resilience/restart-backoff.js';
import type { WorkerInfo } from './platform/sockets/sticky-sessions.js';

/** Message of a worker to the primary: why the worker ends. */
interface FatalMessage {
  fatal: string;
}

const isFatal = (message: unknown): message is FatalMessage =>
  typeof (message as FatalMessage | null)?.fatal === 'string';

const liveWorkers = () =>
  Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined);

/**
 * Runs `count` workers on one port and restarts each that ends, with exponential backoff. Node's round-robin spreads
 * the connections; Postgres and Redis hold the shared state. Workers reach one another over Unix sockets in a temporary
 * folder. SIGTERM and SIGINT stop all workers.
 * @returns resolves when a signal has stopped the last worker
 */
export function superviseWorkers(count: number, log: (line: string) => void): Promise<void> {
  let stopping = false;
  const folder = mkdtempSync(join(tmpdir(), 'tanya-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cluster.setupPrimary({ args: [folder] });
  return new Promise((resolve) => {
    for (let index = 0; index < count; index += 1) {
      keepAlive(
        log,
        () => stopping,
        () => liveWorkers().length === 0 && resolve(),
      );
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) return;
        stopping = true;
        if (liveWorkers().length === 0) resolve();
        for (const worker of liveWorkers()) worker.process.kill('SIGTERM');
      });
    }
  });
}

/** Starts a worker and its successors. A terminal sends its signals to the workers too: they then end by themselves. */
function keepAlive(log: (line: string) => void, isStopping: () => boolean, onStopped: () => void): void {
  const backoff = new RestartBackoff();
  const start = (): void => {
    if (isStopping()) return;
    const startedAt = performance.now();
    const restart = (end: string): void => {
      if (isStopping()) return onStopped();
      const delay = backoff.delayAfter(performance.now() - startedAt);
      log(`worker ${end}; restarting in ${delay / 1000} s`);
      setTimeout(start, delay);
    };
    try {
      watch(cluster.fork(), restart);
    } catch (error) {
      restart(`did not start (${(error as Error).message})`);
    }
  };
  start();
}

/** @param onEnd called once, when the worker has ended or did not start */
function watch(worker: Worker, onEnd: (end: string) => void): void {
  let reason: string | undefined;
  worker.on('message', (message: unknown) => {
    if (isFatal(message)) reason = message.fatal;
  });
  worker.on('error', (error) => {
    if (worker.process.pid !== undefined) return;
    // It did not start, for example without a free file descriptor, and emits no exit.
    delete cluster.workers?.[worker.id];
    onEnd(`did not start (${error.message})`);
  });
  worker.once('exit', (code, signal) => {
    const end = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    onEnd(`${worker.process.pid} ${end}${reason === undefined ? '' : ` (${reason})`}`);
  });
}

/** Reports to the primary why this worker ends, for the primary's log line. Does nothing in a process without primary. */
export function reportFatal(message: string): Promise<void> {
  return new Promise((resolve) => {
    if (!cluster.isWorker || process.send === undefined) resolve();
    else process.send({ fatal: message } satisfies FatalMessage, () => resolve());
  });
}

/** Id of this worker and its folder; null outside of `superviseWorkers`, also under another cluster manager. */
export function workerInfo(): WorkerInfo | null {
  const folder = process.argv[2];
  return cluster.worker === undefined || folder === undefined ? null : { id: cluster.worker.id, folder };
}
