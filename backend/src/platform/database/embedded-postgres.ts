import { type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  exitOf,
  logTail,
  prepareCluster,
  readPassword,
  runInCluster,
  type Cluster,
} from './embedded-postgres-cluster.js';
import { OWNER_LOCK } from './database-owner.js';
import { isRunning, processIdentity } from '../system/process-identity.js';

export interface EmbeddedPostgres {
  url: string;
  isRunning(): boolean;
  /**
   * Stops the server if this call started it, or if the process that did has ended. It keeps running while another
   * process needs it.
   */
  stop(): Promise<void>;
}

interface LiveServer {
  pid: number;
  url: string;
  /** Process identity of the server's parent. */
  owner: string;
  /** Whether a server of the product runs on it. A command that started it may end before. */
  isInUse: boolean;
}

const START_TIMEOUT_MS = 15_000;

/** Timeout of a crash recovery, which replays the log since the last checkpoint. Postgres starts over when it is ended. */
const RECOVERY_TIMEOUT_MS = 10 * 60_000;

/** Timeout of a fast shutdown, which writes a checkpoint. */
const STOP_TIMEOUT_MS = 60_000;

/** A larger log is truncated at the start. */
const MAX_LOG_BYTES = 5_000_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  wal_level: 'minimal',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are ordinary, and would stand there with values of users. The log says why the server ended.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  jit: 'off',
};

/**
 * Starts Postgres on the cluster in `dataDir`, or joins the server that another live process started there. An orphaned
 * server, whose process was killed, is stopped first, unless a server of the product runs on it.
 * @throws Error with the end of the Postgres log after 15 s, or 10 min for a server in crash recovery
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  startTimeoutMs = START_TIMEOUT_MS,
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(resolve(dataDir));
  const begun = Date.now();
  let deadline = begun + startTimeoutMs;
  while (Date.now() < deadline) {
    const live = await liveServer(cluster);
    if (live && (live.isInUse || isRunning(live.owner))) return joined(cluster, live);
    if (live) await endOrphan(live.pid);
    // The time for an orphan to end, or for another server to recover, does not count.
    if (live || (await startingServer(cluster)))
      deadline = Math.min(Date.now(), begun + RECOVERY_TIMEOUT_MS) + startTimeoutMs;
    const started = await launch(cluster, deadline);
    if (started) return started;
    await sleep(100);
  }
  throw new Error(`The embedded Postgres did not start within ${startTimeoutMs / 1000} s. ${await logTail(cluster)}`);
}

function joined(cluster: Cluster, { pid, url }: LiveServer): EmbeddedPostgres {
  const server = processIdentity(pid);
  const leave = async (): Promise<void> => {
    const live = await liveServer(cluster);
    if (live && !live.isInUse && !isRunning(live.owner)) await endOrphan(live.pid);
  };
  return { url, isRunning: () => isRunning(server), stop: leave };
}

/** One attempt. Undefined when Postgres exits at once, as it does while another server holds the same data. */
async function launch(cluster: Cluster, deadline: number): Promise<EmbeddedPostgres | undefined> {
  await removeStalePidFile(cluster);
  const log = await stat(cluster.log).catch(() => null);
  if (log && log.size > MAX_LOG_BYTES) await truncate(cluster.log);

  const flags = Object.entries({ ...SETTINGS, 'tanya.owner': processIdentity() }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = runInCluster(cluster, 'postgres', flags, { PGPORT: String(await freePort()) });
  const exit = exitOf(child);
  const begun = Date.now();
  let isAnnounced = false;
  for (let until = deadline; isAlive(child) && Date.now() < until;) {
    if ((await startingServer(cluster)) === child.pid) {
      until = Math.min(Date.now(), begun + RECOVERY_TIMEOUT_MS) + START_TIMEOUT_MS;
      if (Date.now() > deadline && !isAnnounced) {
        console.log('The embedded Postgres recovers from a crash; waiting for up to 10 minutes.');
        isAnnounced = true;
      }
    }
    const live = await liveServer(cluster);
    if (live && live.pid === child.pid) {
      child.unref();
      const leave = async (): Promise<void> => {
        if (!(await liveServer(cluster))?.isInUse) await stop(child, exit);
      };
      return { url: live.url, isRunning: () => isAlive(child), stop: leave };
    }
    if (live) break;
    await Promise.race([sleep(15), exit]);
  }
  await stop(child, exit);
  return undefined;
}

/** The process that holds the cluster and does not accept connections yet, as during a crash recovery. */
async function startingServer(cluster: Cluster): Promise<number | undefined> {
  const lines = (await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!pid || !lines[7]?.startsWith('starting')) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

/** The server that runs on this cluster, found by `postmaster.pid` and verified by the cluster's password. */
async function liveServer(cluster: Cluster): Promise<LiveServer | undefined> {
  const lines = (await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port, status] = [Number(lines[0]), lines[3], lines[7]];
  if (!status?.startsWith('ready')) return undefined;
  const url = `postgres://tanya:${await readPassword(cluster)}@127.0.0.1:${port}/postgres`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ owner: string | null; isInUse: boolean }>(
      `select current_setting('tanya.owner', true) as owner,
        exists (select from pg_locks where locktype = 'advisory' and objid = ${OWNER_LOCK}) as "isInUse"`,
    );
    return { pid, url, owner: rows[0]?.owner ?? '', isInUse: rows[0]?.isInUse ?? false };
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function endOrphan(pid: number): Promise<void> {
  const orphan = processIdentity(pid);
  for (const [signal, timeoutMs] of [
    ['SIGINT', STOP_TIMEOUT_MS],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (isRunning(orphan)) process.kill(pid, signal);
    for (let waited = 0; isRunning(orphan) && waited < timeoutMs; waited += 20) await sleep(20);
  }
}

/**
 * Removes a `postmaster.pid` whose process is not Postgres. After a restart of the machine the process id may belong to
 * another program, which Postgres takes for a second server when both run as the same user.
 */
async function removeStalePidFile(cluster: Cluster): Promise<void> {
  const file = join(cluster.data, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  try {
    if (pid && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') await rm(file, { force: true });
  } catch {
    // No such process, or no /proc: Postgres decides by itself.
  }
}

/** SIGINT is Postgres's fast shutdown: it disconnects clients and writes a checkpoint. SIGQUIT follows after 60 s. */
async function stop(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  if (!isAlive(child)) return;
  child.ref();
  child.kill('SIGINT');
  const ended = await Promise.race([exit.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })]);
  if (!ended) child.kill('SIGQUIT');
  await exit;
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => settle(port));
    });
  });
}
