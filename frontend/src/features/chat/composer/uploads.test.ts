import { jest } from '@jest/globals';
import type { StoredFile } from '@tanya/contract';
import { ApiError } from '../../../app/api/api-error';
import { toaster } from '../../../components/feedback/toast-store';
import type { Attachment } from './attachment';

interface Upload {
  file: File;
  signal: AbortSignal;
  store: (found?: Partial<StoredFile>) => void;
  fail: (error: unknown) => void;
}

const started: Upload[] = [];
jest.unstable_mockModule('../../../app/api/upload', () => ({
  upload: (file: File, { signal }: { signal: AbortSignal }) =>
    new Promise<StoredFile>((resolve, reject) => {
      const { name, type, size } = file;
      const store: Upload['store'] = (found) =>
        resolve({ id: name, url: `/api/files/${name}`, name, type, size, ...found });
      signal.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
      started.push({ file, signal, store, fail: reject });
    }),
}));

const { Uploads } = await import('./uploads');

const textFile = (name: string) => new File([`text of ${name}`], name, { type: 'text/plain' });

/** Resolves when the uploads have taken every step that is possible: their steps are microtasks. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

function open() {
  let list: readonly Attachment[] = [];
  const uploads = new Uploads({ read: () => list, change: (update) => (list = update(list)) });
  const of = (name: string) => list.find((attachment) => attachment.name === name)!;
  const remove = (name: string) => {
    const { id } = of(name);
    list = list.filter((attachment) => attachment.id !== id);
    uploads.cancel(id);
  };
  return { uploads, of, remove, names: () => list.map(({ name }) => name) };
}

beforeEach(() => {
  started.length = 0;
});

test('uploads three files at a time, and the next ones as they end', async () => {
  const { uploads, of, names } = open();
  uploads.add(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'].map(textFile));
  await settled();
  expect(names()).toEqual(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']);
  expect(started.map(({ file }) => file.name)).toEqual(['1.txt', '2.txt', '3.txt']);
  started[1]!.store();
  await settled();
  expect(of('2.txt')).toMatchObject({ url: '/api/files/2.txt', progress: 1, error: null });
  expect(started.at(-1)!.file.name).toBe('4.txt');
});

test('pages as pictures are no warning, pages that are not read are one', async () => {
  const { uploads, of } = open();
  uploads.add(['1.pdf', '2.pdf'].map(textFile));
  await settled();
  const pictures = { code: 'pages_as_pictures', params: { count: 20 } } as const;
  const unread = { code: 'pages_unread', params: { count: 5 } } as const;
  started[0]!.store({ pages: 20, pictures: 20, notice: 'As pictures.', notices: [pictures] });
  started[1]!.store({ pages: 25, pictures: 20, notice: 'As pictures. Not read.', notices: [pictures, unread] });
  await settled();
  expect(of('1.pdf')).toMatchObject({ pages: 20, pictures: 20, warning: null });
  expect(of('2.pdf')).toMatchObject({ pages: 25, pictures: 20, warning: 'As pictures. Not read.' });
});

test('a failed upload keeps the others, and is tried again', async () => {
  const { uploads, of } = open();
  uploads.add(['1.txt', '2.txt'].map(textFile));
  await settled();
  started[0]!.fail(ApiError.network());
  started[1]!.store();
  await settled();
  expect(of('1.txt')).toMatchObject({ url: null, error: expect.stringContaining('connection') as string });
  expect(of('2.txt').url).toBe('/api/files/2.txt');
  uploads.retry(of('1.txt').id);
  await settled();
  expect(of('1.txt').error).toBeNull();
  started.at(-1)!.store();
  await settled();
  expect(of('1.txt').url).toBe('/api/files/1.txt');
});

test('removing a file ends its upload, and starts the next one', async () => {
  const { uploads, remove, names } = open();
  uploads.add(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'].map(textFile));
  await settled();
  remove('4.txt');
  remove('1.txt');
  await settled();
  expect(started[0]!.signal.aborted).toBe(true);
  expect(started.at(-1)!.file.name).toBe('5.txt');
  expect(names()).toEqual(['2.txt', '3.txt', '5.txt']);
});

test('a selection of several steps is bounded as a whole', () => {
  const toasts = jest.spyOn(toaster, 'create');
  const { uploads, names } = open();
  for (const part of ['a', 'b', 'c']) uploads.add(Array.from({ length: 4 }, (_, at) => textFile(`${part}${at}.txt`)));
  expect(names()).toHaveLength(10);
  toasts.mockRestore();
});

test('a long text becomes a file with an unused name, and can return to the field if it fits', async () => {
  const { uploads, of, names } = open();
  uploads.addText('x'.repeat(40_000));
  uploads.addText('y'.repeat(5 * 1024 * 1024));
  expect(names()).toEqual(['Pasted text.txt', 'Pasted text 2.txt']);
  expect(of('Pasted text.txt').pasted).toHaveLength(40_000);
  expect(of('Pasted text 2.txt').pasted).toBeUndefined();
  await settled();
  expect(started.map(({ file }) => [file.type, file.size])).toEqual([
    ['text/plain', 40_000],
    ['text/plain', 5 * 1024 * 1024],
  ]);
});

test('a text over the limit of a document is refused with the reason', () => {
  const { uploads, names } = open();
  uploads.addText('x'.repeat(10 * 1024 * 1024 + 1));
  expect(names()).toEqual([]);
});
