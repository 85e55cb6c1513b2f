import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataDir } from './data-dir.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tanya-data-'));
});

afterEach(() => rm(root, { recursive: true }));

describe('prepareDataDir', () => {
  it('creates the folder and leaves nothing in it', async () => {
    const path = join(root, 'a/b');
    await prepareDataDir(path);
    expect(await readdir(path)).toEqual([]);
  });

  it('refuses a file in its place or above it', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await expect(prepareDataDir(file)).rejects.toThrow(`DATA_DIR ${file} cannot be used: EEXIST`);
    await expect(prepareDataDir(join(file, 'data'))).rejects.toThrow(/^DATA_DIR .*\/file\/data cannot be used: EEXIST/);
  });

  (process.platform === 'linux' ? it : it.skip).each(['/proc/self', '/proc/nothing/data'])(
    'refuses %s, where the system allows no new files',
    async (path) => {
      await expect(prepareDataDir(path)).rejects.toThrow(`DATA_DIR ${path} cannot be used: ENOENT`);
    },
  );
});
