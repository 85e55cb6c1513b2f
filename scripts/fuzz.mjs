import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run fuzz -- --inputs 100000 --seed 7` sends hostile inputs to every route and socket event of the built server, and
 * after them the worst bodies of each: no answer may be a 5xx, and none may hold the event loop or the heap. Before them it
 * sends 100,000 streams and answers of providers, tool servers and search services, exports and events of answers, cut and
 * mixed, to each of their decoders.
 * Without `--seed` it chooses one and prints it, so that a failure can be reproduced. `--table FILE` writes the requests that
 * held the loop longest as Markdown.
 */
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    table: { type: 'string' },
  },
});
const { inputs, seed, table } = values;
for (const [name, value] of Object.entries({ inputs, seed })) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} must be a whole number`);
  process.exit(2);
}
console.log(`${inputs} inputs, seed ${seed}`);
const test = join(dirname(fileURLToPath(import.meta.url)), 'test.mjs');
const env = {
  ...process.env,
  FUZZ_INPUTS: inputs,
  FUZZ_STREAMS: '100000',
  FUZZ_SEED: seed,
  ONE_REQUEST_WHOLE: '1',
  ...(table === undefined ? {} : { ONE_REQUEST_TABLE: resolve(table) }),
};
const run = (...options) => spawnSync(process.execPath, [test, ...options], { stdio: 'inherit', env }).status ?? 1;
// One after the other, so that neither takes the cores from the other's clock.
const decoders = run('unit', 'fuzz.test');
const requests = run('integration', 'fuzz.integration', 'one-request', '--maxWorkers', '1');
process.exit(decoders || requests);
