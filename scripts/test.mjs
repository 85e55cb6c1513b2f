import './require-node.mjs';
import { prepare, root } from './build-steps.mjs';
import { parts } from './test-parts.mjs';

/**
 * `node scripts/test.mjs` runs every part in order, a failing one notwithstanding; `node scripts/test.mjs unit …` runs
 * one and hands the rest of the line to its tool. The last line counts: tests of Jest and Playwright one by one, any
 * other part as one.
 */
process.chdir(root);
const [only, ...rest] = process.argv.slice(2);
const chosen = only ? parts.filter((part) => part.name === only) : parts;
if (chosen.length === 0) {
  console.error(`No such part: ${only}. There are: ${parts.map((part) => part.name).join(', ')}`);
  process.exit(2);
}

let [passed, failed] = [0, 0];
try {
  await prepare(['packages']);
} catch (error) {
  console.error(error.message);
  finish(0, 1);
}
for (const part of chosen) {
  console.log(`\n── ${part.name}: ${part.says}`);
  const started = Date.now();
  const result = await outcome(part);
  passed += result.passed;
  failed += result.failed;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`── ${part.name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
}
finish(passed, failed);

async function outcome(part) {
  try {
    return await part.run(rest);
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
}

function finish(passed, failed) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
