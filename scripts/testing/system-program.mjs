import { execFileSync } from 'node:child_process';
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
  const aptGet = find(['apt-get'], []);
  if (process.getuid?.() !== 0 || !aptGet) return false;
  console.log(`Installing ${aptPackage} with apt-get …`);
  const install = ['install', '-y', '-qq', '--no-install-recommends', aptPackage];
  try {
    run(aptGet, install);
  } catch {
    return updateAndRun(aptGet, install);
  }
  return true;
}

/** A minimal image has no package lists. */
function updateAndRun(aptGet, install) {
  try {
    run(aptGet, ['update', '-qq']);
    run(aptGet, install);
    return true;
  } catch (error) {
    console.error(String(error.stderr ?? error.message).trim());
    return false;
  }
}

/** An apt-get fails while another one runs. Those of the tests take turns, and one of the system is waited for. */
function run(aptGet, flags) {
  execFileSync('flock', [aptGet, aptGet, '-o', 'DPkg::Lock::Timeout=300', ...flags], {
    timeout: 600_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
