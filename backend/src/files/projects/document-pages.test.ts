import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackgroundWork } from '../../platform/resilience/background-work.js';
import type { FileEntity } from '../file.entity.js';
import { DocumentPages } from './document-pages.js';

const PATH = join(tmpdir(), 'document-pages');
const MINUTE = 60_000;

afterEach(() => jest.restoreAllMocks());

/** @returns pages of a drawer that draws each page but the second, and the numbers of those that it drew */
function open() {
  const drawn: number[] = [];
  let expire = (): unknown => undefined;
  const documents = { withContents: (_file: unknown, work: (path: string) => unknown) => work(PATH) };
  const drawer = {
    draw: async ({ target, pages: [page] }: { target: string; pages: [number] }) => {
      drawn.push(page);
      await writeFile(target, 'picture');
      return { isBusy: false, drawn: page === 2 ? [] : [{ page, width: 10, height: 20, words: [] }] };
    },
  };
  const background = { repeat: (_name: string, _ms: number, work: () => unknown) => (expire = work) };
  const staging = { remove: () => Promise.resolve() };
  const pages = new DocumentPages(
    documents as never,
    drawer as never,
    staging as never,
    background as unknown as BackgroundWork,
  );
  const file = { id: 'f', pages: 3 } as FileEntity;
  return { look: (page: number) => pages.picture(file, page), drawn, expire: () => expire(), pages };
}

it('draws a page once, also one that cannot be drawn, until its file is deleted', async () => {
  const { look, drawn, pages } = open();
  const [first, again] = [await look(1), await look(1)];
  expect(again).toEqual(first);
  for (const page of [2, 2, 4]) await expect(look(page)).rejects.toMatchObject({ code: 'not_found' });
  expect(drawn).toEqual([1, 2]);
  pages.forget('f');
  await look(1);
  expect(drawn).toEqual([1, 2, 1]);
});

it('drops pages that nobody has looked at for ten minutes', async () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(0);
  const { look, drawn, expire } = open();
  await look(1);
  await look(3);
  now.mockReturnValue(9 * MINUTE);
  await look(1);
  now.mockReturnValue(11 * MINUTE);
  expire();
  await look(1);
  await look(3);
  expect(drawn).toEqual([1, 3, 3]);
});
