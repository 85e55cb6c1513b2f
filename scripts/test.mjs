import './require-node.mjs';
import { prepare, root } from './build-steps.mjs';

/**
 * `node scripts/test.mjs` runs every part in order and continues after a failure. `node scripts/test.mjs unit …` runs
 * one part and passes the other arguments to its tool. The last line is `N passed, N failed`: each test of Jest and
 * Playwright counts, any other part counts as one.
 */
process.chdir(root);
let [passed, failed] = [0, 0];
try {
  await prepare(['test-packages']);
} catch (error) {
  console.error(error.message);
  finish(0, 1);
}

// The parts load packages, which a fresh clone has only now.
const { parts } = await import('./test-parts.mjs');
const [only, ...rest] = process.argv.slice(2);
const chosen = only ? parts.filter((part) => part.name === only) : parts;
if (chosen.length === 0) {
  console.error(`Unknown part: ${only}. Choose one of: ${parts.map((part) => part.name).join(', ')}`);
  process.exit(2);
}
for (const part of chosen) {
  console.log(`\n── ${part.name}: ${part.label}`);
  const started = Date.now();
  const result = await resultOf(part);
  passed += result.passed;
  failed += result.failed;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`── ${part.name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
}
finish(passed, failed);

async function resultOf(part) {
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
