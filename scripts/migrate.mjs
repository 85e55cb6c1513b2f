import './require-node.mjs';
import { prepareOrExit, root } from './build-steps.mjs';

/** `npm run migrate` runs the pending migrations of the installation that the environment names, and exits. */
process.chdir(root);
await prepareOrExit(['packages', 'server']);
const { built } = await import('./dump/installation.mjs');
await built('migrate.js');
