import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Path of a system program: the first of `names` on the PATH or in `elsewhere`, else installed from `aptPackage` when
 * running as root with apt-get. Throws an error that names the package to install.
 */
export function systemProgram({ names, aptPackage, elsewhere = [] }) {
  const found = find(names, elsewhere);
  if (found) return found;
  if (install(aptPackage)) {
    const installed = find(names, elsewhere);
    if (installed) return installed;
  }
  throw new Error(
    `${names[0]} is needed: install it with your package manager (Debian: apt-get install ${aptPackage}).`,
  );
}

function find(names, elsewhere) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin'];
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere];
  return candidates.find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(aptPackage) {
  if (process.getuid?.() !== 0 || !find(['apt-get'], [])) return false;
  console.log(`Installing ${aptPackage} with apt-get …`);
  const options = {
    timeout: 240_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const flags = ['install', '-y', '-qq', '--no-install-recommends', aptPackage];
  if (spawnSync('apt-get', flags, options).status === 0) return true;
  try {
    // A minimal image has no package lists.
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', flags, options);
    return true;
  } catch (error) {
    console.error(String(error.stderr ?? error.message).trim());
    return false;
  }
}
