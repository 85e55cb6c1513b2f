/** V8 12 (Node 22) counts calls where V8 11 counted the bytes that ran. */
const COUNTS_CALLS = Number.parseInt(process.versions.v8, 10) >= 12;

/**
 * For processes that run much code a few times, such as tests and the servers they start: V8 optimizes later, after eight times
 * as much code. The start of a server takes 1.06 s of CPU time instead of 1.25 s.
 */
export const OPTIMIZES_LATE = COUNTS_CALLS
  ? ['--invocation-count-for-maglev=3200', '--invocation-count-for-turbofan=24000']
  : ['--interrupt-budget=1000000'];
