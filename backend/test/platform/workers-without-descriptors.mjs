import cluster from 'node:cluster';
import { closeSync, openSync } from 'node:fs';

/** Supervises a worker that ends at once. No file descriptor is free at its first start. */
const { superviseWorkers } = await import(new URL('../../dist/workers.js', import.meta.url).href);

if (cluster.isWorker) process.exit(7);

const descriptors = [];
try {
  for (;;) descriptors.push(openSync('/dev/null'));
} catch {
  // None is free.
}
const lines = [];
const stopped = superviseWorkers(1, (line) => {
  lines.push(line.replace(/worker \d+/, 'worker N'));
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
  if (lines.length === 2) process.kill(process.pid, 'SIGTERM');
});
await stopped;
console.log(JSON.stringify(lines));
process.exit();
