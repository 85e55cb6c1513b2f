import './require-node.mjs';
import { prepareOrExit, root } from './build-steps.mjs';

/** `npm run migrate` runs the pending migrations of the installation that the environment names, and exits. */
process.chdir(root);
await prepareOrExit(['packages', 'server']);
const { built, exitOutsideContainers } = await import('./dump/installation.mjs');
await exitOutsideContainers('migrate');
await built('migrate.js');
