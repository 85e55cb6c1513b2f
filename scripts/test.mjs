import './require-node.mjs';
import { fork } from 'node:child_process';
import { prepare, root } from './build-steps.mjs';

/**
 * `node scripts/test.mjs` runs every part and continues after a failure; the parts of a stage run two at a time.
 * `node scripts/test.mjs unit …` runs one part and passes the other arguments to its tool. The last line is `N passed,
 * N failed`: each test of Jest and Playwright counts, any other part counts as one.
 */
process.chdir(root);
let [passed, failed] = [0, 0];
try {
  await prepare(['test-packages']);
} catch (error) {
  console.error(error.message);
  await finish(0, 1);
}

// The parts load packages, which a fresh clone has only now.
const { parts } = await import('./test-parts.mjs');
const [only, ...rest] = process.argv.slice(2);
if (only === undefined) await runAll();
else await runOnly(only);
await finish(passed, failed);

async function runAll() {
  for (const stage of new Set(parts.map((part) => part.stage))) {
    const queue = parts.filter((part) => part.stage === stage);
    if (queue.length === 1) add(await report(queue[0]));
    else await Promise.all([runNext(queue), runNext(queue)]);
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
    let result = { passed: 0, failed: 1 };
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
    return await part.run(rest);
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
}

function add(result) {
  passed += result.passed;
  failed += result.failed;
}

/** Ends the process. A run of all parts gets the result of a part in a message, any other run prints it. */
async function finish(passed, failed) {
  if (process.send) await new Promise((resolve) => process.send({ passed, failed }, resolve));
  else console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
