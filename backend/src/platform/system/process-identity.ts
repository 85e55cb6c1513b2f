import { readFileSync } from 'node:fs';

/**
 * Identifies a process by its id and start time, as the system reuses ids. Without /proc the start time is empty and
 * only the id counts.
 */
export function processIdentity(pid = process.pid): string {
  return `${pid}:${startedAt(pid) ?? ''}`;
}

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

/**
 * Start time in clock ticks since boot; 'ended' for a zombie. Reads the fields of /proc/PID/stat behind the process name,
 * which may hold spaces.
 */
function startedAt(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}
