import { readFileSync } from 'node:fs';

/** Ticks of a second in /proc/PID/stat, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** Resident memory of another process, bytes; 0 for one that has ended, and where the system has no /proc. */
export function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(read(pid, 'status')) ?? [];
  return Number(kilobytes) * 1024;
}

/** CPU time of another process, ms; 0 as above. Reads the fields behind the process name, which may hold spaces. */
export function cpuMs(pid: number): number {
  const line = read(pid, 'stat');
  const [, , , , , , , , , , , user = 0, system = 0] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1000;
}

function read(pid: number, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
