import './require-node.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareOrExit, root } from './build-steps.mjs';

// npm sends SIGTERM to the shell in between, which exits without forwarding it. The exit of the shell stops the server.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 200).unref();
}

process.chdir(root);
await prepareOrExit(['packages', 'server', 'web']);
process.env.NODE_ENV ??= 'production';
// Imported into this process, so that signals reach the server.
await import(pathToFileURL(join(root, 'backend/dist/bundle/main.js')).href);
