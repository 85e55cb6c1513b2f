import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run fuzz -- --inputs 100000 --seed 7` sends hostile inputs to every route and socket event of the built server.
 * Without `--seed` it chooses one and prints it, so that a failure can be reproduced.
 */
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} must be a whole number`);
  process.exit(2);
}
console.log(`${values.inputs} inputs, seed ${values.seed}`);
const test = join(dirname(fileURLToPath(import.meta.url)), 'test.mjs');
const child = spawn(process.execPath, [test, 'integration', 'fuzz.integration'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_INPUTS: values.inputs, FUZZ_SEED: values.seed },
});
child.once('exit', (code) => process.exit(code ?? 1));
