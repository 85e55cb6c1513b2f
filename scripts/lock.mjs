import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process does that with the same `file`. The file names its holder, so a lock whose holder
 * was killed is taken over.
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

/** Renamed before it is removed: of several that find it stale only one gets it, and a fresh one is given back. */
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

/** With the moment of its start, since process ids are given out again. */
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
