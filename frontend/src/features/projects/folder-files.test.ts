import { LIMITS } from '@tanya/contract';
import { type Dropped, filesOfChosen, filesOfFolders, MAX_ENTRIES } from './folder-files';

const fileOf = (name: string, { text = 'text', type = '' } = {}) => new File([text], name, { type });

type Tree = { [name: string]: File | Tree | null };

/** A folder as browsers give it; null stands for a file or a folder that may not be read. */
function folderOf(name: string, tree: Tree): FileSystemDirectoryEntry {
  const entries = Object.entries(tree).map(([inner, value]) => {
    if (value !== null && !(value instanceof File)) return folderOf(inner, value);
    const file = (found: (file: File) => void, failed: (error: Error) => void) =>
      value === null ? failed(new Error('not allowed')) : found(value);
    return { name: inner, isFile: true, isDirectory: false, file } as unknown as FileSystemFileEntry;
  });
  const createReader = () => {
    let at = 0;
    // Browsers give 100 at a time.
    const readEntries = (found: (entries: FileSystemEntry[]) => void) => found(entries.slice(at, (at += 100)));
    return { readEntries };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemDirectoryEntry;
}

const listed = (...dropped: Dropped[]) => filesOfFolders(dropped, new AbortController().signal);

const namesOf = (files: readonly File[]) => files.map(({ name }) => name).sort();

/** Files as a field for folders gives them. */
function chosen(paths: readonly string[]): File[] {
  return paths.map((path) =>
    Object.defineProperty(fileOf(path.split('/').pop()!), 'webkitRelativePath', { value: path }),
  );
}

test('the files of folders and of those inside are found, more than one portion of the browser', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`${at}.txt`, fileOf(`${at}.txt`)]));
  const { files, isCut } = await listed(folderOf('a', { ...many, b: { c: { 'deep.md': fileOf('deep.md') } } }));
  expect(files).toHaveLength(251);
  expect(namesOf(files)).toContain('deep.md');
  expect(isCut).toBe(false);
});

test('files of systems, empty ones, and those without text are left out, with their paths', async () => {
  const { files, skipped } = await listed(
    folderOf('a', {
      '.DS_Store': fileOf('.DS_Store'),
      'Thumbs.db': fileOf('Thumbs.db'),
      '~$plan.docx': fileOf('~$plan.docx'),
      '.git': { config: fileOf('config') },
      b: { 'empty.txt': fileOf('empty.txt', { text: '' }), 'logo.png': fileOf('logo.png', { type: 'image/png' }) },
      'film.MP4': fileOf('film.MP4', { type: 'video/mp4' }),
      'setup.exe': fileOf('setup.exe'),
      // Browsers take TypeScript for a film.
      'main.ts': fileOf('main.ts', { type: 'video/mp2t' }),
      'plan.docx': fileOf('plan.docx'),
    }),
  );
  expect(namesOf(files)).toEqual(['main.ts', 'plan.docx']);
  expect(skipped.hidden.sort()).toEqual(['a/.DS_Store', 'a/.git', 'a/Thumbs.db', 'a/~$plan.docx']);
  expect(skipped.empty).toEqual(['a/b/empty.txt']);
  expect(skipped.kind.sort()).toEqual(['a/b/logo.png', 'a/film.MP4', 'a/setup.exe']);
});

test('a file that was dropped itself is added whatever it is', async () => {
  const { files, skipped } = await listed(fileOf('.env'), fileOf('empty.txt', { text: '' }), folderOf('a', {}));
  expect(namesOf(files)).toEqual(['.env', 'empty.txt']);
  expect(skipped).toEqual({ hidden: [], empty: [], kind: [] });
});

test('files of one name get that of their folder, as many folders as tell them apart', async () => {
  const { files } = await listed(
    fileOf('report.pdf'),
    folderOf('clients', {
      acme: {
        '2024': { 'Report.pdf': fileOf('Report.pdf'), 'plan.md': fileOf('plan.md') },
        LICENSE: fileOf('LICENSE'),
      },
      beta: { '2024': { 'report.pdf': fileOf('report.pdf') }, LICENSE: fileOf('LICENSE') },
    }),
  );
  expect(namesOf(files)).toEqual([
    'LICENSE (acme)',
    'LICENSE (beta)',
    'Report (acme - 2024).pdf',
    'plan.md',
    'report (beta - 2024).pdf',
    'report.pdf',
  ]);
});

test('a renamed file has its contents and its type, and a name that is kept whole', async () => {
  const name = `${'n'.repeat(251)}.txt`;
  const folder = 'f'.repeat(240);
  const { files } = await listed(
    folderOf(folder, { x: { [name]: fileOf(name, { text: 'one', type: 'text/plain' }) } }),
    folderOf(folder, { y: { [name]: fileOf(name, { text: 'second' }) } }),
  );
  const [x, y] = files.sort((a, b) => a.size - b.size);
  expect(x!.name).toMatch(/^n+ \(x\)\.txt$/);
  expect(x!.name).toHaveLength(LIMITS.fileName.max);
  expect(x!.type).toBe('text/plain');
  expect(x!.size).toBe(3);
  expect(y!.name).toMatch(/ \(y\)\.txt$/);
});

test('what may not be read is named, and the rest is added', async () => {
  const broken = folderOf('closed', {});
  broken.createReader = () => ({
    readEntries: (_: unknown, failed: (error: Error) => void) => failed(new Error('not allowed')),
  });
  const { files, unreadable } = await listed(broken, folderOf('a', { 'b.txt': null, 'c.txt': fileOf('c.txt') }));
  expect(namesOf(files)).toEqual(['c.txt']);
  expect(unreadable).toEqual(['closed', 'a/b.txt']);
});

test('a folder without end is cut', async () => {
  const endless = folderOf('a', { 'b.txt': fileOf('b.txt') });
  const { readEntries } = endless.createReader();
  const entries: FileSystemEntry[] = await new Promise((resolve) => readEntries(resolve));
  endless.createReader = () => ({ readEntries: (found: (list: FileSystemEntry[]) => void) => found(entries) });
  const { files, isCut } = await listed(endless);
  expect(files).toHaveLength(MAX_ENTRIES);
  expect(isCut).toBe(true);
});

test('the folder that was chosen may be hidden, those inside may not, and count once', () => {
  const { files, skipped, isCut } = filesOfChosen(
    chosen(['.notes/a.txt', '.notes/x/a.txt', '.notes/.git/config', '.notes/.git/objects/1', '.notes/.DS_Store']),
  );
  expect(namesOf(files)).toEqual(['a (.notes).txt', 'a (x).txt']);
  expect(skipped.hidden).toEqual(['.notes/.git', '.notes/.DS_Store']);
  expect(isCut).toBe(false);
});
