import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepare, root } from '../build-steps.mjs';
import { checkBundleBudget } from '../checks/bundle-budget.mjs';
import { headlessChromium } from './chromium.mjs';
import { jestResult } from './jest-result.mjs';
import { journeyResult } from './journey-result.mjs';
import { checkMigrations } from '../checks/migration-check.mjs';
import { checkProse } from '../checks/prose.mjs';
import { checkRooms } from '../checks/rooms.mjs';
import { OPTIMIZES_LATE } from './short-lived.mjs';
import { checkTexts } from '../checks/texts.mjs';

/**
 * The parts of `npm test`. Each resolves to `{ passed, failed }`, tests also to the names of `failures` and `flaky` ones; a
 * rejection counts as one failure. Stages run in order. The parts of a stage run three at a time, in this order, and none
 * writes a file that another one reads.
 */
export const parts = [
  // Writes the folders that the server runs from, so nothing else runs meanwhile.
  { name: 'types', stage: 1, label: 'tsc', run: () => tool('typescript-native/bin/tsc', ['-b']) },
  // Faults wait for half of their time, which the checks and the unit tests of the third lane use.
  {
    name: 'fleet',
    stage: 2,
    label: 'kills, failovers and replacements of three nodes over a Redis Cluster and a Postgres pair',
    run: (args) => faults(['--fleet', '--quick', ...args]),
  },
  {
    name: 'faults',
    stage: 2,
    label: 'fault injection into real processes',
    run: (args) => faults(['--quick', ...args]),
  },
  {
    name: 'format',
    stage: 2,
    label: 'oxfmt',
    run: (args) => tool('oxfmt/bin/oxfmt', ['--check', ...args]),
  },
  {
    name: 'lint',
    stage: 2,
    label: 'oxlint',
    run: (args) => tool('oxlint/bin/oxlint', ['--type-aware', ...args]),
  },
  {
    name: 'eslint',
    stage: 2,
    label: 'the rules that oxlint lacks',
    run: (args) => tool('eslint/bin/eslint.js', ['--max-warnings', '0', ...(args.length > 0 ? args : sources)]),
  },
  {
    name: 'imports',
    stage: 2,
    label: 'import rules',
    run: () => tool('dependency-cruiser/bin/dependency-cruise.mjs', cruise),
  },
  { name: 'prose', stage: 2, label: 'log lines, and long lines of documents', run: () => check(checkProse) },
  { name: 'rooms', stage: 2, label: 'sizes of source folders', run: () => check(checkRooms) },
  { name: 'build', stage: 2, label: 'the product, and the size budget of the page', run: build },
  { name: 'migrations', stage: 2, label: 'migrations agree with entities and functions.sql', run: migrations },
  { name: 'texts', stage: 2, label: 'every quoted text is used', run: texts },
  {
    name: 'unit',
    stage: 2,
    label: 'pure code, and the page in jsdom',
    run: (args) => jest(['unit', 'client', 'web'], args),
  },
  { name: 'integration', stage: 3, label: 'the server over real Postgres and Redis', run: integration },
  { name: 'e2e', stage: 4, label: 'the built product in a real browser', run: endToEnd },
];

const sources = ['contract/src', 'backend/src', 'frontend/src'];
const cruise = ['--config', '.dependency-cruiser.cjs', ...sources];

/** The garbage collector copies young objects less often. Unit tests took a fifth less time with both flags. */
const SHORT_LIVED = [...OPTIMIZES_LATE, '--max-semi-space-size=64'];

/** Jest refuses a second flag that sets the number of workers. */
const WORKERS_FLAG = /^(-i|--runInBand|-w|--maxWorkers)(=|$)/;

async function integration(args) {
  await prepare(['server']);
  // These tests wait for half of their time, so four workers fill two cores.
  return jest(['integration'], args.some((arg) => WORKERS_FLAG.test(arg)) ? args : ['--maxWorkers', '4', ...args]);
}

async function migrations(args) {
  await prepare(['server']);
  await checkMigrations(args);
  return { passed: 1, failed: 0 };
}

/** The fault scenarios that cover most in a minute; `npm run faults` runs all of them. */
async function faults(flags) {
  await prepare(['server']);
  const file = resultFile('faults.jsonl');
  rmSync(file, { force: true });
  const status = await run('../scripts/faults.mjs', ['--resume', file, ...flags]);
  if (!existsSync(file)) throw new Error('No fault was injected; see the output above.');
  const injections = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const failures = injections
    .filter(({ violations }) => violations.length > 0)
    .map(({ id, violations }) => `${id}: ${violations.join('; ')}`);
  const passed = injections.length - failures.length;
  return { passed, failed: failures.length || (status === 0 ? 0 : 1), failures };
}

async function build() {
  await prepare(['server', 'web']);
  console.log(checkBundleBudget(join(root, 'frontend/dist')));
  return { passed: 1, failed: 0 };
}

async function jest(projects, args) {
  const { status, report } = await jestRun(projects, args);
  const rerun = async (file) => {
    console.log(`\nRunning again, alone: ${file}`);
    return (await jestRun(projects, ['--runTestsByPath', file])).report;
  };
  return jestResult(report, { status, inCi: Boolean(process.env.CI), root, rerun });
}

async function jestRun(projects, args) {
  const file = resultFile('jest.json');
  rmSync(file, { force: true });
  // A test that fails during its setup leaves a server running, and Jest would wait for it without `--forceExit`.
  const flags = [
    '--selectProjects',
    ...projects,
    '--json',
    '--outputFile',
    file,
    '--passWithNoTests',
    '--forceExit',
    ...args,
  ];
  const env = { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' };
  const status = await run('jest/bin/jest.js', flags, { env, nodeFlags: SHORT_LIVED, quietOutput: true });
  return { status, report: readResult(file) };
}

async function texts() {
  await prepare(['server']);
  const problems = await checkTexts();
  for (const problem of problems) console.error(problem);
  return { passed: problems.length === 0 ? 1 : 0, failed: problems.length };
}

async function endToEnd(args) {
  await prepare(['server', 'web']);
  const file = resultFile('playwright.json');
  const env = { CHROMIUM_PATH: headlessChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const flags = ['test', '--config', 'e2e', '--reporter', 'list,json', ...args];
  const status = await run('@playwright/test/cli.js', flags, { env, nodeFlags: SHORT_LIVED });
  return journeyResult(readResult(file), { status, inCi: Boolean(process.env.CI) });
}

/** @param count prints its findings and returns their number */
function check(count) {
  const failed = count();
  return { passed: failed === 0 ? 1 : 0, failed };
}

async function tool(script, args) {
  const status = await run(script, args);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function resultFile(name) {
  const file = join(root, '.tmp', `${process.pid}-${name}`);
  mkdirSync(dirname(file), { recursive: true });
  process.once('exit', () => rmSync(file, { force: true }));
  return file;
}

function readResult(file) {
  if (!existsSync(file)) throw new Error('The tests did not start; see the output above.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs a program of a package with inherited output. Jest with `--json` prints the result too, which `quietOutput` drops. */
function run(script, args, { env = {}, nodeFlags = [], quietOutput = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeFlags, join(root, 'node_modules', script), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', quietOutput ? 'ignore' : 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
