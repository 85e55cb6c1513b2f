import './require-node.mjs';
import { join } from 'node:path';
import { prepare, root, StepFailed } from './build-steps.mjs';
import { checkBundleBudget } from './checks/bundle-budget.mjs';

const force = process.argv.includes('--force');
try {
  await prepare(['packages']);
  await prepare(['server', 'web'], { force });
  console.log(checkBundleBudget(join(root, 'frontend/dist')));
} catch (error) {
  console.error(error instanceof StepFailed ? error.message : `Build: ${error.message}`);
  process.exit(1);
}
