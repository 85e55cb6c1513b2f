import './require-node.mjs';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { prepare, prepareOrExit, root } from './build-steps.mjs';

process.chdir(root);
await prepareOrExit(['packages']);
// A failed first build does not stop it: the watching compiler reports the errors.
await prepare(['server']).catch((error) => console.error(error.message));

// The page's server has to know it too, so it does not stay with the backend, which reads the file itself.
const inFile = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')).PORT : '';
const port = (process.env.PORT || inFile || '3000').trim();
const env = { ...process.env, PORT: port, BACKEND_URL: `http://127.0.0.1:${port}` };
const programs = [
  ['node_modules/typescript-native/bin/tsc', ['-b', '-w', '--preserveWatchOutput', 'backend']],
  ['--watch', ['--watch-preserve-output', 'backend/dist/main.js']],
  ['node_modules/vite/bin/vite.js', ['frontend']],
];
// Each child has its own process group, so that Ctrl-C reaches only this process, which forwards it once.
const children = programs.map(([script, args]) =>
  spawn(process.execPath, [script.startsWith('--') ? script : join(root, script), ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  }),
);
const [compiler] = children;

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  for (const child of children) {
    const { pid, exitCode } = child;
    // On Node 20 the compiler is a child of its launcher, which forwards no signal; the other two forward theirs.
    if (pid && exitCode === null) process.kill(child === compiler ? -pid : pid, 'SIGTERM');
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const child of children) child.once('exit', stop);
