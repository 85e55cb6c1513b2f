import { TEXTS } from '@tanya/contract';
import { chooseFiles, judgeFile, ONE_OF_EACH, sizeText, UNUSUAL_DOCUMENT } from './attachment-rules';

const MB = 1024 * 1024;

test('images of the four types up to 5 MB are taken', () => {
  for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp']) {
    expect(judgeFile({ name: 'a', type, size: 5 * MB })).toEqual({ kind: 'image', refusal: undefined });
  }
});

test('a larger image and another format are refused in the words of the product', () => {
  expect(judgeFile({ name: 'a.png', type: 'image/png', size: 5 * MB + 1 }).refusal).toBe(TEXTS.files.imageTooLarge);
  expect(judgeFile({ name: 'a.svg', type: 'image/svg+xml', size: 10 }).refusal).toBe(TEXTS.files.imageFormat);
});

test('a file that is called a picture and is none is not taken for a document', () => {
  for (const name of ['scan.png', 'IMG_1.HEIC']) {
    expect(judgeFile({ name, type: '', size: 10 })).toEqual({ kind: 'image', refusal: TEXTS.files.notAnImage });
  }
});

test('documents of the known types up to 10 MB are taken', () => {
  expect(judgeFile({ name: 'Laporan.PDF', type: 'application/pdf', size: 10 * MB })).toMatchObject({
    kind: 'document',
    refusal: undefined,
    warning: undefined,
  });
  expect(judgeFile({ name: 'a.pdf', type: '', size: 10 * MB + 1 }).refusal).toBe(TEXTS.files.documentTooLarge);
});

test('a document of another type is taken with a warning', () => {
  expect(judgeFile({ name: 'setup.exe', type: '', size: 10 })).toMatchObject({ warning: UNUSUAL_DOCUMENT });
});

test('an empty file is refused', () => {
  expect(judgeFile({ name: 'a.txt', type: 'text/plain', size: 0 }).refusal).toBeDefined();
});

test('of several files the first of each kind is taken, and the others are named with the reason', () => {
  const [first, second, huge] = [10, 20, 6 * MB].map((size) => ({ name: `${size}.png`, type: 'image/png', size }));
  const notes = { name: 'notes.txt', type: 'text/plain', size: 10 };
  expect(chooseFiles([first!, notes], [])).toEqual({
    taken: [
      { file: first, kind: 'image' },
      { file: notes, kind: 'document' },
    ],
  });
  expect(chooseFiles([first!, second!], []).notice).toEqual({
    title: ONE_OF_EACH,
    description: 'Not attached: 20.png',
    kind: 'error',
  });
  expect(chooseFiles([huge!, first!, second!], [])).toEqual({
    taken: [{ file: first, kind: 'image' }],
    notice: {
      title: TEXTS.files.imageTooLarge,
      description: `Not attached: ${huge!.name}, 20.png`,
      kind: 'error',
    },
  });
  expect(chooseFiles([huge!], []).notice).toEqual({ title: TEXTS.files.imageTooLarge, kind: 'error' });
});

test('a file that takes the place of an attached one says so', () => {
  const image = { name: 'new.png', type: 'image/png', size: 10 };
  const attached = [
    { kind: 'image', name: 'old.png' },
    { kind: 'document', name: 'notes.txt' },
  ] as const;
  expect(chooseFiles([image], attached)).toEqual({
    taken: [{ file: image, kind: 'image' }],
    notice: { title: ONE_OF_EACH, description: 'Replaced: old.png', kind: 'info' },
  });
});

test('a file that may not be understood is named with the warning', () => {
  const notice = { title: UNUSUAL_DOCUMENT, description: 'setup.exe', kind: 'info' };
  expect(chooseFiles([{ name: 'setup.exe', type: '', size: 10 }], []).notice).toEqual(notice);
});

test('sizes read as people say them', () => {
  expect([sizeText(10), sizeText(2048), sizeText(1.5 * MB)]).toEqual(['10 B', '2 KB', '1.5 MB']);
});
