import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, readStamp, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const manifests = ['package.json', ...['contract', 'backend', 'frontend', 'e2e'].map((name) => `${name}/package.json`)];

/** What stands between a clone and a running product, in order. A step is redone when its inputs changed. */
const steps = [
  {
    name: 'packages',
    says: 'Installing packages (the first time takes about a minute) …',
    inputs: [...manifests, 'package-lock.json'],
    output: 'node_modules/.package-lock.json',
    run: installPackages,
  },
  {
    name: 'server',
    says: 'Building the server …',
    inputs: ['contract/src', 'contract/tsconfig.json', 'backend/src', 'backend/tsconfig.json', 'tsconfig.base.json'],
    output: 'backend/dist/main.js',
    run: () => node('node_modules/typescript/bin/tsc', ['-b', 'backend']),
  },
  {
    name: 'web',
    says: 'Building the page …',
    inputs: [
      ...['contract/src', 'frontend/src', 'frontend/public', 'frontend/index.html', 'frontend/vite.config.ts'],
      'scripts/compress.mjs',
    ],
    output: 'frontend/dist/index.html',
    run: buildPage,
  },
];

/** Does what is stale (or all of it) of the named steps. One process at a time; the others wait and find it done. */
export async function prepare(names, { force = false } = {}) {
  const wanted = steps.filter((step) => names.includes(step.name));
  if (!force && !wanted.some(isStale)) return;
  const onWait = () => console.log('Waiting for another build in this folder …');
  await withLock(
    join(root, '.tmp', 'build.lock'),
    () => {
      for (const step of wanted) if (force || isStale(step)) perform(step);
    },
    { onWait },
  );
}

/** The same for commands that are pointless without it: a step that failed has said why, so no stack follows. */
export async function prepareOrExit(names) {
  try {
    await prepare(names);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** The stamp carries the lock file's hash too: other versions of packages can mean another build. */
function fingerprintOf(step) {
  return fingerprint(root, [...step.inputs, 'package-lock.json']);
}

function stampOf(step) {
  return join(root, 'node_modules', '.cache', 'tanya', `${step.name}.stamp`);
}

function isStale(step) {
  return !existsSync(join(root, step.output)) || readStamp(stampOf(step)) !== fingerprintOf(step);
}

function perform(step) {
  console.log(step.says);
  const before = fingerprintOf(step);
  step.run();
  // npm may complete the lock file; sources that were edited during a build belong to the next one.
  writeStamp(stampOf(step), step.name === 'packages' ? fingerprintOf(step) : before);
}

function installPackages() {
  const npm = process.env.npm_execpath;
  const flags = ['install', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm) run(process.execPath, [npm, ...flags]);
  else run('npm', flags);
}

/** Built aside and swapped in, so that a server which is running meanwhile never serves half a page. */
function buildPage() {
  const [built, next, old] = ['dist', '.dist-next', '.dist-old'].map((name) => join(root, 'frontend', name));
  node('node_modules/vite/bin/vite.js', [
    'build',
    'frontend',
    '--outDir',
    next,
    '--emptyOutDir',
    '--logLevel',
    'error',
  ]);
  node('scripts/compress.mjs', [next]);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(built)) renameSync(built, old);
  renameSync(next, built);
  rmSync(old, { recursive: true, force: true });
}

function node(script, args) {
  run(process.execPath, [join(root, script), ...args]);
}

function run(command, args) {
  const env = { ...process.env };
  // Meant for the server: they would leave out build tools or slip into them.
  delete env.NODE_ENV;
  delete env.NODE_OPTIONS;
  const { status, signal, stdout, error } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 100_000_000,
  });
  if (status === 0) return;
  if (stdout) console.error(stdout.trimEnd());
  if (error) console.error(error.message);
  throw new StepFailed(signal ? `stopped by ${signal}` : 'This step failed; what it said is above.');
}

export class StepFailed extends Error {}
