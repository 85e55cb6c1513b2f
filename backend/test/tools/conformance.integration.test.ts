import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The published suite of the Model Context Protocol. Its package has no entry besides its program. */
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const FOLDER = join(import.meta.dirname, 'conformance');
const TYPESCRIPT = resolve(import.meta.dirname, '../../../scripts/testing/typescript.mjs');
const CLIENT = `${process.execPath} --no-warnings --import ${TYPESCRIPT} ${join(FOLDER, 'client.ts')}`;

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO';
  errorMessage?: string;
}

let results: string;

beforeEach(async () => void (results = await mkdtemp(join(tmpdir(), 'tanya-conformance-'))));
afterEach(() => rm(results, { recursive: true, force: true }));

/** The checks of a scenario, in which the suite runs the client against its own server. */
async function checksOf(scenario: string): Promise<Check[]> {
  const program = ['--import', join(FOLDER, 'suite-on-node-20.mjs'), SUITE];
  const options = ['client', '--command', CLIENT, '--scenario', scenario, '--output-dir', results];
  // It ends with 1 for a failed check.
  const { stderr } = await promisify(execFile)(process.execPath, [...program, ...options]).catch(
    (error: { stderr: string }) => error,
  );
  const [folder] = await readdir(results);
  if (folder === undefined) throw new Error(stderr);
  return JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8')) as Check[];
}

/** The suite allows for a slow machine too little. */
const isSlowness = ({ errorMessage = '' }: Check): boolean => /slightly late|very late/.test(errorMessage);

it.each([
  ['initialize', ['mcp-client-initialization']],
  ['tools_call', ['tool-add-numbers']],
  ['sse-retry', ['client-sse-graceful-reconnect', 'client-sse-retry-timing', 'client-sse-last-event-id']],
])('passes the scenario %s of the suite', async (scenario, expected) => {
  const judged = (await checksOf(scenario)).filter(({ status }) => status !== 'INFO');
  expect(judged.map(({ id }) => id)).toEqual(expected);
  expect(judged.filter((check) => check.status !== 'SUCCESS' && !isSlowness(check))).toEqual([]);
});
