import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tanya-folder-'));
});

afterEach(() => rm(root, { recursive: true }));

it('creates a folder and its parents, also when called concurrently', async () => {
  const path = join(root, 'a/b/c');
  await Promise.all([1, 2, 3].map(() => makeFolder(path, { mode: 0o700 })));
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await makeFolder(path);
});

it('fails below a file and in a read-only file system', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(root, 'file/a/b'))).rejects.toThrow(/mkdir/);
  await expect(makeFolder('/proc/nothing/a/b')).rejects.toThrow(/mkdir '\/proc/);
});
