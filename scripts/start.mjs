import './require-node.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareOrExit, root } from './build-steps.mjs';

// npm passes SIGTERM on to the shell between us, which dies without a word: its end is our signal to stop.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 200).unref();
}

process.chdir(root);
await prepareOrExit(['packages', 'server', 'web']);
process.env.NODE_ENV ??= 'production';
// In this same process, so that every signal reaches the server itself.
await import(pathToFileURL(join(root, 'backend/dist/main.js')).href);
