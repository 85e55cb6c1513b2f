import { serveTasks } from '../../dist/platform/sandbox/sandbox-worker.js';

/** Memory outside of V8's heap. */
const held = [];

serveTasks(async ({ kept = [], endless, megabytes = 0, heap = false }, keep) => {
  for (const soFar of kept) await keep({ held: soFar });
  if (endless) for (;;);
  for (let count = 0; count < megabytes; count += 1) {
    held.push(heap ? Array.from({ length: 16_384 }, () => ({})) : Buffer.alloc(1024 * 1024, 1));
  }
  return { held: held.length };
});
