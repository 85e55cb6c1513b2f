import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';

/** Three starts of two workers take half a minute on a loaded machine. */
const TIMEOUT_MS = 120_000;

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase(), mkdtemp(join(tmpdir(), 'tanya-workers-'))]);
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Starts the built server with two workers whose database does not exist. */
function start(dataDir: string) {
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url.replace(/[^/]+$/, 'no_such_database'),
      REDIS_URL: 'redis://127.0.0.1:1',
      WEB_CONCURRENCY: '2',
      APP_SECRET: 'q8Zr1-vT5_kM3xW9-bN7cY2-eH4uJ6sDfLg',
      PUBLIC_URL: 'http://127.0.0.1',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return { child, output: () => output };
}

describe('workers that cannot start', () => {
  it(
    'are restarted with exponential backoff, and the log names the reason',
    async () => {
      const { child, output } = start(join(folder, 'data'));
      while (!/restarting in 4 s/.test(output())) await once(child.stdout, 'data');
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      const reason = 'exited with code 1 (database "no_such_database" does not exist)';
      const delays = output().match(/restarting in \d+ s/g);
      expect(output()).toContain(`${reason}; restarting in 1 s`);
      expect(output()).toContain(`${reason}; restarting in 2 s`);
      expect(delays?.filter((delay) => delay === 'restarting in 1 s')).toHaveLength(2);
    },
    TIMEOUT_MS,
  );

  it(
    'are not started without a usable DATA_DIR',
    async () => {
      const file = join(folder, 'file');
      await writeFile(file, '');
      const { child, output } = start(file);
      expect(await once(child, 'exit')).toEqual([1, null]);
      expect(output()).toBe(`DATA_DIR ${file} cannot be used: EEXIST: file already exists, mkdir '${file}'\n`);
    },
    TIMEOUT_MS,
  );
});

it(
  'restarts a worker that does not start for lack of file descriptors',
  async () => {
    const script = join(import.meta.dirname, 'workers-without-descriptors.mjs');
    const child = spawn('bash', ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await json(child.stdout)).toEqual([
      expect.stringMatching(/^worker did not start \(.*EMFILE\); restarting in 1 s$/),
      'worker N exited with code 7; restarting in 2 s',
    ]);
  },
  TIMEOUT_MS,
);
