import './require-node.mjs';
import { fork } from 'node:child_process';
import { prepare, root } from './build-steps.mjs';
import { useMemoryFolder } from './testing/memory-folder.mjs';

/**
 * `node scripts/test.mjs` runs every part and continues after a failure; the parts of a stage run three at a time.
 * `node scripts/test.mjs unit …` runs one part and passes the other arguments to its tool. The last lines name what failed
 * and what was flaky, then comes `N passed, N failed`: each test of Jest and Playwright counts, any other part counts as one.
 */
process.chdir(root);
useMemoryFolder();
const total = { passed: 0, failed: 0, failures: [], flaky: [] };
try {
  await prepare(['test-packages']);
} catch (error) {
  console.error(error.message);
  total.failed = 1;
  await finish();
}

// The parts load packages, which a fresh clone has only now.
const { parts } = await import('./testing/test-parts.mjs');
const [only, ...rest] = process.argv.slice(2);
if (only === undefined) await runAll();
else await runOnly(only);
await finish();

async function runAll() {
  for (const stage of new Set(parts.map((part) => part.stage))) {
    const queue = parts.filter((part) => part.stage === stage);
    if (queue.length === 1) add(await report(queue[0]));
    else await Promise.all([runNext(queue), runNext(queue), runNext(queue)]);
  }
}

async function runOnly(name) {
  const part = parts.find((part) => part.name === name);
  if (part === undefined) {
    console.error(`Unknown part: ${name}. Choose one of: ${parts.map((part) => part.name).join(', ')}`);
    process.exit(2);
  }
  add(await report(part));
}

/** Runs parts of the queue one after the other, each in a process whose output is printed when the part has ended. */
async function runNext(queue) {
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) add(await runApart(part));
}

function runApart(part) {
  return new Promise((resolve) => {
    const child = fork(import.meta.filename, [part.name], { silent: true });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    let result = failureOf(part, 'ended without a result');
    child.once('message', (message) => (result = message));
    child.once('close', () => {
      process.stdout.write(Buffer.concat(output));
      resolve(result);
    });
  });
}

/** Runs a part and prints its name, its output and its result. */
async function report(part) {
  console.log(`\n── ${part.name}: ${part.label}`);
  const started = Date.now();
  const result = await resultOf(part);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`── ${part.name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  return result;
}

async function resultOf(part) {
  try {
    const { passed, failed, failures = [], flaky = [] } = await part.run(rest);
    if (failed > 0 && failures.length === 0) return { ...failureOf(part, 'failed, see its output'), passed, failed };
    return { passed, failed, failures: failures.map((name) => `${part.name}: ${name}`), flaky };
  } catch (error) {
    console.error(error.message);
    return failureOf(part, error.message);
  }
}

function failureOf(part, text) {
  return { passed: 0, failed: 1, failures: [`${part.name}: ${text}`], flaky: [] };
}

function add({ passed, failed, failures, flaky }) {
  total.passed += passed;
  total.failed += failed;
  total.failures.push(...failures);
  total.flaky.push(...flaky);
}

/** Ends the process. A run of all parts gets the result of a part in a message, any other run prints it. */
async function finish() {
  if (process.send) await new Promise((resolve) => process.send(total, resolve));
  else printTotal();
  process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
}

function printTotal() {
  const { passed, failed, failures, flaky } = total;
  if (flaky.length > 0) console.log(`\nFlaky (failed once, passed when repeated):\n  ${flaky.join('\n  ')}`);
  if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join('\n  ')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
}
