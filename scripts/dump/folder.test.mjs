import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putInPlace } from './folder.mjs';

const NAMES = ['tables', 'files', 'manifest.json'];

let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tanya-folder-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path, version, names) {
  for (const name of names) {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, name), version);
  }
}

// The exchange of three parts ends before, between or after them.
it.each([0, 1, 2, 3])('puts a new backup in its place although the exchange ended after %i parts', async (moved) => {
  await write('.', 'old', NAMES.slice(moved, 2));
  await write('.', 'new', NAMES.slice(0, moved));
  await write('.new', 'new', NAMES.slice(moved));
  await mkdir(join(folder, '.new'), { recursive: true });
  await putInPlace(folder);
  expect((await readdir(folder)).sort()).toEqual(['files', 'manifest.json', 'tables']);
  for (const name of NAMES) expect(await readFile(join(folder, name), 'utf8')).toBe('new');
});

it('leaves alone a backup, and a folder that is not there', async () => {
  await write('.', 'old', NAMES);
  await putInPlace(folder);
  expect((await readdir(folder)).sort()).toEqual(['files', 'manifest.json', 'tables']);
  await putInPlace(join(folder, 'none'));
});
