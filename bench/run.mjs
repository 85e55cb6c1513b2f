import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareOrExit } from '../scripts/build-steps.mjs';
import { leaveServerCore, pinning, runLoad } from './child.mjs';
import { summarise, table } from './figures.mjs';

/**
 * `npm run bench` measures the product and its baselines (floors). `--quick` takes under three minutes, `--only a,b` some parts,
 * `--rounds N` repeats them, `--json` prints every figure, `--rows N` bounds the lists.
 */
const PARTS = [
  'streams',
  'first-token',
  'light-load',
  'tls',
  'cadence',
  'most-streams',
  'memory',
  'sends',
  'public-api',
  'embeddings',
  'project-search',
  'project-indexing',
  'tool-calls',
  'workers',
  'lists',
  'sweep',
  'export',
  'start',
  'hostile',
  'tools',
  'tracing',
  'calls',
  'page-update',
  'page-answer',
  'page-thread',
  'page-start',
];
const QUICK = ['streams', 'first-token', 'sends', 'public-api'];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    rows: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const chosen = options.only?.split(',') ?? (options.quick ? QUICK : PARTS);
const unknown = chosen.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${PARTS.join(', ')}`);
  process.exit(2);
}
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const print = options.json ? () => undefined : (line) => console.log(line);

process.chdir(new URL('..', import.meta.url).pathname);
await prepareOrExit(['test-packages', 'server', 'web']);
leaveServerCore();
const { openHarness } = await import('./harness.mjs');
const { makeMembers } = await import('./accounts.mjs');
const { startUpstream } = await import('./servers.mjs');

print(
  `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}; ${pinning}`,
);
const harness = await openHarness();
const figures = [];
let stopped = false;
// A signal ends the run after the current part and prints the figures so far.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopped = true));
try {
  const upstream = await startUpstream();
  const context = {
    harness,
    upstream,
    quick: options.quick,
    rows: options.rows === undefined ? undefined : Number(options.rows),
    runLoad,
    print,
    async members(count, name = 'bench') {
      const url = await harness.database(name);
      // The previous server was killed with running answers; reaping them is not part of the next measurement.
      await harness.query(url, `update generation set status = 'interrupted' where status = 'streaming'`);
      return { url, ...(await makeMembers(harness, url, count)) };
    },
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of chosen) {
      if (stopped) break;
      print(`round ${round + 1} of ${rounds}: ${name}`);
      const part = await import(`./parts/${name}.mjs`);
      const found = await part.run({ ...context, round }).catch((error) => {
        console.error(`${name}: ${error.message}`);
        process.exitCode = 1;
        return [];
      });
      figures.push(...found.map((each) => ({ part: name, round, ...each })));
    }
  }
  await upstream.end();
} finally {
  await harness.close();
}
const rows = summarise(figures);
console.log(options.json ? JSON.stringify(rows, null, 2) : `\n${table(rows)}`);
process.exit();
