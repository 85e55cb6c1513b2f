import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** A process and its descendants. */
function family(pid) {
  const pids = [pid];
  for (let index = 0; index < pids.length; index += 1) {
    for (const task of quietly(() => readdirSync(`/proc/${pids[index]}/task`), [])) {
      const children = quietly(() => readFileSync(`/proc/${pids[index]}/task/${task}/children`, 'utf8'), '');
      for (const child of children.split(' ')) if (child.trim() !== '') pids.push(Number(child));
    }
  }
  return [...new Set(pids)];
}

/** Seconds of processor time that a process and its living children have used. */
export function cpuSeconds(pid) {
  return sum(pid, (member) => {
    const stat = readFileSync(`/proc/${member}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  });
}

/** Memory in KB of a process and its living children. */
export function residentKb(pid) {
  return sum(pid, (member) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0));
}

const sum = (pid, read) => family(pid).reduce((total, member) => total + quietly(() => read(member), 0), 0);

/** Reads from /proc, where a process may end in between. */
function quietly(read, fallback) {
  try {
    return read();
  } catch {
    return fallback;
  }
}
