import { readFileSync } from 'node:fs';

/**
 * A process id alone is worth little after a restart, because the system gives it out again. With the moment at which
 * the process started it is unique; where the system does not tell that (no /proc), the id has to do.
 */
export function processIdentity(pid = process.pid): string {
  return `${pid}:${startedAt(pid) ?? ''}`;
}

/** Whether the process that `processIdentity` once named still runs. */
export function isRunning(identity: string): boolean {
  const [id, start] = identity.split(':');
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startedAt(pid);
  return !start || now === undefined || now === start;
}

/** Clock ticks since boot, from the fields of /proc/PID/stat behind the name (which may hold spaces). 'ended' for a zombie. */
function startedAt(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}
