import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CreatedApiKey } from '@tanya/contract';
import { pdfOf } from '../files/scanned-pdf.js';
import { PASSWORD } from '../harness/test-app.js';
import { type Caller, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');

const EXAMPLES = [...DOCS.matchAll(/^```(?:ba)?sh\n([\s\S]*?)^```/gm)]
  .map(([, commands]) => commands!)
  .filter((commands) => commands.includes('curl '));

let harness: PublicApiHarness;
let caller: Caller;
let adminKey: string;
let folder: string;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  caller = await harness.caller();
  const { client } = await harness.member({ isAdmin: true });
  const request = { name: 'automation', scope: 'admin', password: PASSWORD };
  adminKey = (await client.post<CreatedApiKey>('/api/user/keys', request)).body.key;
  folder = await mkdtemp(join(tmpdir(), 'tanya-api-docs-'));
  await writeFile(join(folder, 'offer.pdf'), pdfOf([{ text: 'It costs 42.' }]));
  // curl fails at an error status, and prints nothing but the answer.
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
});

afterEach(() => harness.settle());

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await harness.close();
});

it('has examples', () => {
  expect(EXAMPLES.length).toBeGreaterThan(1);
});

it.each(EXAMPLES)('runs the example %#', async (commands) => {
  const script = commands.replaceAll('{PUBLIC_URL}', harness.url);
  const env = { PATH: process.env.PATH, HOME: folder, KEY: caller.key, ADMIN_KEY: adminKey };
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder, env, timeout: 60_000 });
  const answers = stdout.split(/(?<=\})(?=\{)/).map((answer) => JSON.parse(answer) as object);
  expect(answers).toHaveLength(commands.match(/^curl /gm)!.length);
});
