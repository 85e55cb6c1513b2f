import { spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, readStamp, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const workspaces = ['contract', 'backend', 'frontend', 'scripts', 'e2e'];
const packageInputs = ['package.json', ...workspaces.map((name) => `${name}/package.json`), 'package-lock.json'];
const A_TEST_TOOL = 'node_modules/jest/package.json';

/**
 * Steps from a clone to a running product. A step runs when its output is missing or its inputs have changed. Steps of
 * one stage run at the same time; stages run in order.
 */
const steps = [
  {
    name: 'packages',
    stage: 0,
    message: 'Installing packages (about a minute on the first run) …',
    inputs: packageInputs,
    output: 'node_modules/.package-lock.json',
    // `--omit=dev` would remove installed test tools.
    run: () => installPackages({ withTestTools: existsSync(join(root, A_TEST_TOOL)) }),
  },
  {
    name: 'test-packages',
    stage: 1,
    message: 'Installing the packages of the tests …',
    inputs: packageInputs,
    output: A_TEST_TOOL,
    run: () => installPackages({ withTestTools: true }),
  },
  {
    name: 'server',
    stage: 2,
    message: 'Building the server …',
    inputs: [
      'contract/src',
      'contract/tsconfig.json',
      'backend/src',
      'backend/tsconfig.json',
      'tsconfig.base.json',
      'contract/package.json',
      'scripts/bundle-server.mjs',
    ],
    output: 'backend/dist/bundle/main.js',
    run: buildServer,
  },
  {
    name: 'web',
    stage: 2,
    message: 'Building the page …',
    inputs: [
      'contract/src',
      'frontend/src',
      'frontend/public',
      'frontend/index.html',
      'frontend/vite.config.ts',
      'frontend/vite-catalogues.ts',
      'scripts/compress.mjs',
    ],
    output: 'frontend/dist/index.html',
    run: buildPage,
  },
];

/** Runs the stale steps among `names`, or all of them with `force`. Other processes wait until it has finished. */
export async function prepare(names, { force = false } = {}) {
  if (isImage()) return;
  const wanted = steps.filter((step) => names.includes(step.name));
  const due = (step) => force || isStale(step);
  if (!wanted.some(due)) return;
  const onWait = () => console.log('Waiting for another build in this folder …');
  await withLock(join(root, '.tmp', 'build.lock'), () => performInStages(wanted, due), { onWait });
}

/** `prepare` for commands that cannot continue without it: prints the failure without a stack and exits with 1. */
export async function prepareOrExit(names) {
  try {
    await prepare(names);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** The image of the Dockerfile holds the built product without its sources. */
function isImage() {
  return !existsSync(join(root, 'backend/src'));
}

async function performInStages(wanted, due) {
  for (const stage of new Set(wanted.map((step) => step.stage))) {
    const results = await Promise.allSettled(
      wanted.filter((step) => step.stage === stage && due(step)).map((step) => perform(step)),
    );
    const failure = results.find(({ status }) => status === 'rejected');
    if (failure) throw failure.reason;
  }
}

/** Includes the lock file, because a build depends on the versions of its packages. */
function fingerprintOf(step) {
  return fingerprint(root, [...step.inputs, 'package-lock.json']);
}

function stampOf(name) {
  return join(root, 'node_modules', '.cache', 'tanya', `${name}.stamp`);
}

function isStale(step) {
  return !existsSync(join(root, step.output)) || readStamp(stampOf(step.name)) !== fingerprintOf(step);
}

async function perform(step) {
  console.log(step.message);
  const before = fingerprintOf(step);
  await step.run();
  // A source that is edited during the build makes the step stale again.
  if (step.stage === 2) writeStamp(stampOf(step.name), before);
}

/** An installation with test tools satisfies both package steps. npm may complete the lock file, so stamps follow it. */
async function installPackages({ withTestTools }) {
  const npm = process.env.npm_execpath;
  const flags = [
    'install',
    withTestTools ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await (npm ? run(process.execPath, [npm, ...flags]) : run('npm', flags));
  const stamp = fingerprint(root, [...packageInputs, 'package-lock.json']);
  writeStamp(stampOf('packages'), stamp);
  if (withTestTools) writeStamp(stampOf('test-packages'), stamp);
}

async function buildServer() {
  // Types are checked by `npm run typecheck` and `npm test`; here they would take a third of the build.
  await node('node_modules/typescript-native/bin/tsc', ['-b', 'backend', '--noCheck']);
  await node('scripts/bundle-server.mjs', []);
}

/** Builds into a temporary folder and swaps it in, so that a running server never serves half a page. */
async function buildPage() {
  const [built, next, old] = ['dist', '.dist-next', '.dist-old'].map((name) => join(root, 'frontend', name));
  const flags = ['--outDir', next, '--emptyOutDir', '--logLevel', 'error'];
  await node('node_modules/vite/bin/vite.js', ['build', 'frontend', ...flags]);
  await node('scripts/compress.mjs', [next]);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(built)) renameSync(built, old);
  renameSync(next, built);
  rmSync(old, { recursive: true, force: true });
}

function node(script, args) {
  return run(process.execPath, [join(root, script), ...args]);
}

function run(command, args) {
  const env = { ...process.env };
  // These are meant for the server; npm would skip packages, and the build tools would load what they name.
  delete env.NODE_ENV;
  delete env.NODE_OPTIONS;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => reject(new StepFailed(`${command} could not be started: ${error.message}`)));
    child.once('close', (status, signal) => {
      if (status === 0) return resolve();
      if (output.length > 0) console.error(Buffer.concat(output).toString().trimEnd());
      reject(new StepFailed(signal ? `The step was stopped by ${signal}.` : 'The step failed; see its output above.'));
    });
  });
}

/** The step's own output names the cause, so callers print the message without a stack. */
export class StepFailed extends Error {}
