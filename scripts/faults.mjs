import './require-node.mjs';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareOrExit, root } from './build-steps.mjs';
import { readOptions, usage } from './testing/faults-options.mjs';
import { redisServer } from './testing/redis.mjs';
import { systemProgram } from './testing/system-program.mjs';

/** `npm run faults -- --rounds 20 --seed 1` injects faults into the built product and verifies the invariants. */
const options = optionsOrExit();
await prepareOrExit(['test-packages', 'server']);

// A copy, so that a build during a long run does not affect it, with the places beside it that the server knows: the
// children that read files may load nothing else.
const copy = mkdtempSync(join(tmpdir(), 'tanya-faults-code-'));
const dist = join(copy, 'backend/dist');
for (const path of ['backend/dist', 'backend/package.json', 'package.json'])
  cpSync(join(root, path), join(copy, path), { recursive: true });
for (const path of ['node_modules', 'backend/node_modules', 'contract', 'frontend'])
  if (existsSync(join(root, path))) symlinkSync(join(root, path), join(copy, path));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));

const nginx = options.fleet ? { TANYA_FAULTS_NGINX: nginxProgram() } : {};
const [program, hooks] = ['backend/test/faults/main.ts', 'scripts/testing/typescript.mjs'].map((path) =>
  join(root, path),
);
const child = spawn(process.execPath, ['--no-warnings', '--import', hooks, program], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TANYA_FAULTS_OPTIONS: JSON.stringify(options),
    TANYA_FAULTS_DIST: dist,
    TANYA_TEST_REDIS_SERVER: redisServer(),
    ...nginx,
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));

/** Path of nginx; empty for a quick run on a machine without it, where the harness balances by itself. */
function nginxProgram() {
  try {
    return systemProgram({ names: ['nginx'], aptPackage: 'nginx-light' });
  } catch (error) {
    if (!options.quick) throw error;
    console.log(`${error.message} The harness balances this quick run by itself.`);
    return '';
  }
}

function optionsOrExit() {
  try {
    const read = readOptions(process.argv.slice(2));
    if (!read.help) return read;
    console.log(usage());
    return process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${usage()}`);
    return process.exit(2);
  }
}
