import { CHILDREN_MEGABYTES, SERVER_MEGABYTES } from './memory-budget.js';

const MEGABYTE = 1024 * 1024;

/** Memory that a container needs, MB: each of its server processes has a budget of its own for its children. */
export const neededMegabytes = (processes: number): number => processes * (SERVER_MEGABYTES + CHILDREN_MEGABYTES);

/**
 * Compares the memory limit of this container with what its processes need.
 * @param limit bytes; 0, or more than any machine has, in a container without a limit
 * @returns both in MB, or null when it suffices
 */
export function memoryShortage(
  processes: number,
  limit = process.constrainedMemory(),
): { limit: number; needed: number } | null {
  const needed = neededMegabytes(processes);
  return limit > 0 && limit < needed * MEGABYTE ? { limit: Math.floor(limit / MEGABYTE), needed } : null;
}
