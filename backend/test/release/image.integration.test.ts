import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';
import { PROCESSES_TIMEOUT_MS } from '../harness/wait-until.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Sources and target of each COPY instruction of the last stage. */
const copies = read('Dockerfile')
  .split(/^FROM /m)
  .at(-1)!
  .split('\n')
  .filter((line) => line.startsWith('COPY '))
  .map((line) =>
    line
      .replace(/--from=\S+ \/app\//, '')
      .split(' ')
      .slice(1),
  )
  .map((words) => ({ sources: words.slice(0, -1), target: words.at(-1)! }));

/** The packages are linked; the page, which no command needs, is left out. */
function makeFilesOfImage(folder: string): void {
  for (const { sources, target } of copies) {
    for (const source of sources) {
      if (source.startsWith('frontend') || !existsSync(join(root, source))) continue;
      const to = join(folder, target, target.endsWith('/') ? basename(source) : '');
      mkdirSync(join(to, '..'), { recursive: true });
      if (source.endsWith('node_modules')) symlinkSync(join(root, source), to.replace(/\/$/, ''));
      else cpSync(join(root, source), to, { recursive: true });
    }
  }
}

describe('the files of the image', () => {
  let folder: string;
  let database: TestDatabase;
  let empty: TestDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tanya-image-'));
    makeFilesOfImage(join(folder, 'app'));
    [database, empty] = await Promise.all([createDatabase(), createEmptyDatabase()]);
  });

  afterAll(async () => {
    await Promise.all([database.drop(), empty.drop()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function script(name: string, args: string[], databaseUrl: string): Promise<string> {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      APP_SECRET: 'q8Zr1-vT5_kM3xW9-bN7cY2-eH4uJ6sDfLg',
      PUBLIC_URL: 'https://chat.example.org',
    };
    const { stdout } = await run(process.execPath, [`scripts/${name}.mjs`, ...args], { env, cwd: join(folder, 'app') });
    return stdout;
  }

  test('hold no sources and no tools of the build', () => {
    expect(copies.length).toBeGreaterThan(5);
    expect(readdirSync(join(folder, 'app/backend'))).not.toContain('src');
    expect(readdirSync(join(folder, 'app/scripts'))).not.toContain('build.mjs');
  });

  test(
    'suffice to back up, verify, restore, rebuild and migrate',
    async () => {
      const backup = join(folder, 'backup');
      expect(await script('backup', [backup], database.url)).toContain('APP_SECRET opens all 0 stored keys');
      expect(await script('restore', [backup, '--verify'], database.url)).toContain('The backup is whole');
      expect(await script('restore', [backup], empty.url)).toContain('Restored');
      expect(await script('usage-rebuild', [], empty.url)).toContain('The rollup has 0 rows');
      expect(await script('migrate', [], empty.url)).toContain('No migration is pending');
    },
    PROCESSES_TIMEOUT_MS,
  );

  test('include the packages that their scripts import', () => {
    const scripts = readdirSync(join(folder, 'app/scripts'), { recursive: true, encoding: 'utf8' });
    const names = scripts
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => readFileSync(join(folder, 'app/scripts', file), 'utf8'))
      .flatMap((code) => [...code.matchAll(/(?:\bfrom|\bimport\() ?'([^']+)'/g)].map(([, name]) => name!));
    const packages = new Set(names.filter((name) => !/^(?:\.|node:)/.test(name)));
    const { dependencies } = JSON.parse(read('backend/package.json')) as { dependencies: Record<string, string> };
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...packages]));
    expect(packages).toContain('pg-copy-streams');
  });
});
