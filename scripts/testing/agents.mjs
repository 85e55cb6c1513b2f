import '../require-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run agents -- FOLDER` runs a task by Codex and by Claude Code against the server and a scripted model. It installs
 * them into the folder, 660 MB, for which `npm test` has no room; the folder of temporary files has one by default.
 */
const AGENTS = ['@openai/codex@0.171.0', '@anthropic-ai/claude-code@2.1.332'];

const folder = resolve(process.argv[2] ?? join(tmpdir(), 'tanya-agents'));
mkdirSync(folder, { recursive: true });
const run = (program, args, env = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const installed = run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-fund', '--no-audit', ...AGENTS]);
if (installed !== 0) process.exit(installed);
const test = join(dirname(fileURLToPath(import.meta.url)), '../test.mjs');
process.exit(run(process.execPath, [test, 'integration', 'coding-agents'], { AGENTS_FOLDER: folder }));
