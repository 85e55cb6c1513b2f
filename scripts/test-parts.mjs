import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepare, root } from './build-steps.mjs';
import { checkBundleBudget } from './bundle-budget.mjs';
import { chromium } from './chromium.mjs';
import { checkMigrations } from './migration-check.mjs';
import { checkTexts } from './texts-table.mjs';

/** The parts of `npm test`. Each answers how many tests passed and failed, or throws, which counts as one failure. */
export const parts = [
  {
    name: 'format',
    says: 'prettier',
    run: (args) => tool('prettier/bin/prettier.cjs', ['--check', '.', '--log-level', 'warn', ...args]),
  },
  {
    name: 'lint',
    says: 'eslint',
    run: (args) => tool('eslint/bin/eslint.js', ['--max-warnings', '0', ...orAll(args)]),
  },
  { name: 'imports', says: 'import rules', run: () => tool('dependency-cruiser/bin/dependency-cruise.mjs', cruise) },
  { name: 'types', says: 'tsc', run: () => tool('typescript/bin/tsc', ['-b']) },
  { name: 'unit', says: 'pure code and the client in jsdom', run: (args) => jest(['unit', 'web'], args) },
  { name: 'integration', says: 'the server over real Postgres and Redis', run: integration },
  { name: 'migrations', says: 'migrations and entities agree', run: migrations },
  { name: 'faults', says: 'what breaks in production, done to real processes', run: faults },
  { name: 'build', says: 'the product, and the size of its page', run: build },
  { name: 'texts', says: 'every quoted sentence is shown', run: texts },
  { name: 'e2e', says: 'the built product in a real browser', run: endToEnd },
];

const cruise = ['--config', '.dependency-cruiser.cjs', 'contract/src', 'backend/src', 'frontend/src'];
const orAll = (args) => (args.length > 0 ? args : ['.']);

async function integration(args) {
  await prepare(['server']);
  return jest(['integration'], args);
}

async function migrations() {
  await prepare(['server']);
  await checkMigrations();
  return { passed: 1, failed: 0 };
}

/** The kinds of fault that say most in a minute; `npm run faults` has all, and the long runs. */
async function faults(args) {
  await prepare(['server']);
  const file = resultFile('faults.jsonl');
  const status = await run('./faults.mjs', ['--quick', '--resume', file, ...args]);
  const injections = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const failed = injections.filter(({ violations }) => violations.length > 0).length;
  return { passed: injections.length - failed, failed: failed || (status === 0 ? 0 : 1) };
}

async function build() {
  await prepare(['server', 'web']);
  console.log(checkBundleBudget(join(root, 'frontend/dist')));
  return { passed: 1, failed: 0 };
}

async function jest(projects, args) {
  const file = resultFile('jest.json');
  // A test that failed while it set a server up leaves it running, and Jest would wait for it for ever.
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
  const status = await run('jest/bin/jest.js', flags, { env, quietOutput: true });
  const result = readResult(file);
  // A file that does not even load counts as one failure.
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return { passed: result.numPassedTests, failed: failed || (status === 0 ? 0 : 1) };
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
  const env = { CHROMIUM_PATH: chromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const status = await run('@playwright/test/cli.js', ['test', '--config', 'e2e', '--reporter', 'list,json', ...args], {
    env,
  });
  const { stats, errors } = readResult(file);
  const failed = stats.unexpected + errors.length;
  return { passed: stats.expected + stats.flaky, failed: failed || (status === 0 ? 0 : 1) };
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
  if (!existsSync(file)) throw new Error('The tests did not even begin; why is said above.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs a package's program with our output. Jest with `--json` would also print the result, so that goes nowhere. */
function run(script, args, { env = {}, quietOutput = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', quietOutput ? 'ignore' : 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
