import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run measure-projects` puts ten documents into a project, asks thirty questions and counts which passages are found and
 * cited, with full text alone and with vectors. Vectors come from the stand-in of the tests, or from a server of embeddings:
 * `npm run measure-projects -- --url http://127.0.0.1:11434/v1 --model bge-m3`, with `--key` where it needs one.
 * `--write` keeps the vectors for the tests, and the figures in docs/projects.md.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string' },
    key: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const { url, model, key, write } = values;
if ((url === undefined) !== (model === undefined)) {
  console.error('--url and --model belong together');
  process.exit(2);
}
const source = url === undefined ? undefined : { url: url.replace(/\/$/, ''), model, key };
const test = join(dirname(fileURLToPath(import.meta.url)), '../test.mjs');
const { status } = spawnSync(process.execPath, [test, 'integration', 'projects/measure'], {
  stdio: 'inherit',
  env: { ...process.env, TANYA_MEASURE: JSON.stringify({ source, isWritten: write }) },
});
process.exit(status ?? 1);
