import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts child processes in a process without free file descriptors, whose soft limit the caller has lowered, and prints
 * the results as JSON.
 */
const dist = new URL('../../dist/', import.meta.url);
const { Sandbox } = await import(new URL('platform/sandbox/sandbox.js', dist).href);
const { MemoryBudget } = await import(new URL('platform/sandbox/memory-budget.js', dist).href);
const { ExportReader } = await import(new URL('imports/export-reader.js', dist).href);

const budget = new MemoryBudget();
const sandbox = new Sandbox({
  worker: new URL('files/images/image.worker.js', dist),
  needs: () => ({ megabytes: 256 }),
  budget,
  concurrency: 1,
  queueLimit: 1,
  timeoutMs: 60_000,
});

const descriptors = [];
try {
  for (;;) descriptors.push(openSync('/dev/null'));
} catch {
  // None is free.
}
const task = await sandbox.run({});
const opened = await ExportReader.open('/dev/null', budget, new AbortController().signal).then(
  () => 'opened',
  ({ code, message }) => code ?? message,
);
for (const descriptor of descriptors) closeSync(descriptor);
// A rejection without a handler ends the process meanwhile.
await sleep(100);
console.log(JSON.stringify({ task, opened, processes: sandbox.processCount, used: budget.used }));
