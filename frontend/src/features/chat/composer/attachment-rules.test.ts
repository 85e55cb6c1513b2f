import { TEXTS } from '@tanya/contract';
import { checkFile, chooseFiles } from './attachment-rules';

const UNUSUAL_DOCUMENT = 'This type of file may not be analysed well.';
const TOO_MANY = 'A message carries at most 10 files.';

const MB = 1024 * 1024;

test('accepts images of the four types up to 5 MB', () => {
  for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp']) {
    expect(checkFile({ name: 'a', type, size: 5 * MB })).toEqual({ kind: 'image', refusal: undefined });
  }
});

test('refuses a larger image and another image format with the specified texts', () => {
  expect(checkFile({ name: 'a.png', type: 'image/png', size: 5 * MB + 1 }).refusal).toBe(TEXTS.files.imageTooLarge);
  expect(checkFile({ name: 'a.svg', type: 'image/svg+xml', size: 10 }).refusal).toBe(TEXTS.files.imageFormat);
});

test('refuses a file with an image extension and no image type, instead of accepting it as a document', () => {
  for (const name of ['scan.png', 'IMG_1.HEIC']) {
    expect(checkFile({ name, type: '', size: 10 })).toEqual({ kind: 'image', refusal: TEXTS.files.notAnImage });
  }
});

test('accepts documents of the known types up to 10 MB', () => {
  expect(checkFile({ name: 'Laporan.PDF', type: 'application/pdf', size: 10 * MB })).toMatchObject({
    kind: 'document',
    refusal: undefined,
    warning: undefined,
  });
  expect(checkFile({ name: 'a.pdf', type: '', size: 10 * MB + 1 }).refusal).toBe(TEXTS.files.documentTooLarge);
});

test.each([
  ['main.py', 'text/x-python'],
  ['page.html', 'text/html'],
  ['sales.ipynb', ''],
  ['winmail.dat', 'application/ms-tnef'],
])('accepts %s, which is read, without a warning', (name, type) => {
  expect(checkFile({ name, type, size: 10 }).warning).toBeUndefined();
});

test('accepts a document of another type with a warning', () => {
  expect(checkFile({ name: 'drawing.dwg', type: '', size: 10 })).toMatchObject({ warning: UNUSUAL_DOCUMENT });
  const setup = { name: 'Setup.EXE', type: 'application/x-msdownload', size: 10 };
  expect(checkFile(setup)).toEqual({
    kind: 'document',
    refusal: undefined,
    warning: 'This type of file cannot be read.',
  });
});

test('refuses an empty file', () => {
  expect(checkFile({ name: 'a.txt', type: 'text/plain', size: 0 }).refusal).toBeDefined();
});

test('accepts files of all kinds in their order, and names the others with the reason', () => {
  const [first, second, huge] = [10, 20, 6 * MB].map((size) => ({ name: `${size}.png`, type: 'image/png', size }));
  const notes = { name: 'notes.txt', type: 'text/plain', size: 10 };
  expect(chooseFiles([first!, notes, second!], 0)).toEqual({
    accepted: [
      { file: first, kind: 'image' },
      { file: notes, kind: 'document' },
      { file: second, kind: 'image' },
    ],
  });
  expect(chooseFiles([huge!, first!], 0)).toEqual({
    accepted: [{ file: first, kind: 'image' }],
    notice: { title: TEXTS.files.imageTooLarge, description: `Not attached: ${huge!.name}`, kind: 'error' },
  });
  expect(chooseFiles([huge!], 0).notice).toEqual({ title: TEXTS.files.imageTooLarge, kind: 'error' });
});

test('accepts ten files in all, and names the first of the others', () => {
  const files = Array.from({ length: 20 }, (_, index) => ({ name: `${index}.txt`, type: 'text/plain', size: 1 }));
  const { accepted, notice } = chooseFiles(files, 4);
  expect(accepted.map(({ file }) => file)).toEqual(files.slice(0, 6));
  expect(notice).toEqual({
    title: TOO_MANY,
    description: 'Not attached: 6.txt, 7.txt, 8.txt, 9.txt, 10.txt, +9',
    kind: 'error',
  });
});

test('names a file of an unusual type with the warning', () => {
  const notice = { title: UNUSUAL_DOCUMENT, description: 'drawing.dwg', kind: 'info' };
  expect(chooseFiles([{ name: 'drawing.dwg', type: '', size: 10 }], 0).notice).toEqual(notice);
});
