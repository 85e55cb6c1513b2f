import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while holding a lock file. The file names its holder, so the lock of a killed process is removed.
 * `onWait` is called once when another process holds the lock.
 */
export async function withLock(file, work, { onWait }) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !tryLock(file); waited = true) {
    if (!waited) onWait();
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, identity(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = read(file);
  if (holder === undefined || isRunning(holder)) return false;
  removeStale(file, holder);
  return false;
}

/** Renames before removing: of several processes only one succeeds, and a lock taken meanwhile is restored. */
function removeStale(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) === holder) rmSync(aside);
    else renameSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isRunning(holder) {
  const pid = Number(holder.split(':')[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return identity(pid) === holder;
}

/** Process id and start time, because process ids are reused. */
function identity(pid) {
  const line = read(`/proc/${pid}/stat`);
  return `${pid}:${line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
