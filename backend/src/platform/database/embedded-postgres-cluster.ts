import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBinaries, type PostgresBinaries, type PostgresUser } from './embedded-postgres-binaries.js';
import { makeFolder } from '../system/make-folder.js';

/** A Postgres cluster on disk. The user that Postgres runs as owns `data`, the user of this process the rest. */
export interface Cluster {
  folder: string;
  data: string;
  log: string;
  user: PostgresUser | undefined;
  binaries: PostgresBinaries;
}

/** Opens the cluster in `dataDir` or creates one with a new password. Safe to call from several processes at once. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  await makeFolder(dataDir);
  const user = await unprivilegedUser(join(folder, 'data'));
  const binaries = await postgresBinaries(user, user ? '/var/cache/tanya' : join(dataDir, 'cache'));
  const cluster = clusterIn(folder, user, binaries);
  if (!existsSync(cluster.data)) await createCluster(cluster);
  return cluster;
}

export function readPassword(cluster: Cluster): Promise<string> {
  return readFile(join(cluster.folder, 'password'), 'utf8');
}

/**
 * Runs a Postgres binary in the data folder. The process enters the folder before it drops root and addresses it as
 * /proc/self/cwd, so the folders above need no access for Postgres's user. Detached: Ctrl-C in the terminal must not
 * stop Postgres before the server has written its final state.
 */
export function runInCluster(
  cluster: Cluster,
  binary: keyof PostgresBinaries,
  flags: string[],
  env: Record<string, string> = {},
): ChildProcess {
  const usesProcCwd = cluster.user !== undefined && existsSync('/proc/self/cwd');
  const log = openSync(cluster.log, 'a', 0o600);
  const child = spawn(cluster.binaries[binary], flags, {
    ...cluster.user,
    cwd: cluster.data,
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C.UTF-8', PGDATA: usesProcCwd ? '/proc/self/cwd' : cluster.data, ...env },
  });
  closeSync(log);
  return child;
}

/** Exit code of a process; null after a signal. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('exit', settle);
  });
}

/** Last five lines of the Postgres log, for error messages. */
export async function logTail(cluster: Cluster): Promise<string> {
  const log = await readFile(cluster.log, 'utf8').catch(() => '');
  return log.trimEnd().split('\n').slice(-5).join('\n');
}

function clusterIn(folder: string, user: PostgresUser | undefined, binaries: PostgresBinaries): Cluster {
  return { folder, data: join(folder, 'data'), log: join(folder, 'postgres.log'), user, binaries };
}

/** User for Postgres, which refuses to run as root: the owner of existing data, else `postgres` or `nobody`. */
async function unprivilegedUser(data: string): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(data).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf(name, '-u'), gid: idOf(name, '-g') };
    } catch {
      // The system has no such user.
    }
  }
  throw new Error('Postgres does not run as root, and this system has no user "postgres" or "nobody" to run it as.');
}

function idOf(user: string, flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, user], { stdio: 'pipe' }));
}

/** Creates the cluster in a temporary folder and renames it: a kill midway leaves no partial cluster. */
async function createCluster({ folder, user, binaries, data }: Cluster): Promise<void> {
  const partial = clusterIn(await mkdtemp(`${folder}.new-`), user, binaries);
  try {
    const password = randomBytes(24).toString('base64url');
    await writeFile(join(partial.folder, 'password'), password, { mode: 0o600 });
    await mkdir(partial.data, { mode: 0o700 });
    if (user) await chown(partial.data, user.uid, user.gid);
    await initialise(partial, password);
    await rename(partial.folder, folder);
  } catch (error) {
    // A concurrent start may have created the cluster first.
    if (!existsSync(data)) throw error;
  } finally {
    await rm(partial.folder, { recursive: true, force: true });
  }
}

async function initialise(cluster: Cluster, password: string): Promise<void> {
  const secrets = await mkdtemp(join(tmpdir(), 'tanya-'));
  const file = join(secrets, 'password');
  try {
    await writeFile(file, password, { mode: 0o600 });
    if (cluster.user) for (const path of [file, secrets]) await chown(path, cluster.user.uid, cluster.user.gid);
    const flags = ['--username=tanya', `--pwfile=${file}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const child = runInCluster(cluster, 'initdb', [...flags, '--locale=C.UTF-8', '--no-instructions']);
    if ((await exitOf(child)) !== 0)
      throw new Error(`The embedded database could not be created. ${await logTail(cluster)}`);
    await chmod(cluster.data, 0o700);
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}
