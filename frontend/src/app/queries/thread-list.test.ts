import { fakeThread } from './fake-thread';
import { withNewestPage, withChanges, withThread, withoutThread, type ThreadPages } from './thread-list';

const pagesOf = (...pages: number[][]): ThreadPages => ({
  pages: pages.map((ids, index) => ({ items: ids.map((id) => fakeThread(id)), nextCursor: `cursor-${index}` })),
  pageParams: pages.map((_page, index) => (index === 0 ? null : `cursor-${index - 1}`)),
});

const idsOf = (pages: ThreadPages) => pages.pages.map((page) => page.items.map(({ id }) => id));

describe('withNewestPage', () => {
  it('moves a changed thread from a later page to the front, without a duplicate', () => {
    const merged = withNewestPage(pagesOf([9, 8], [7, 6]), {
      items: [6, 9].map((id) => fakeThread(id)),
      nextCursor: 'new',
    });
    expect(idsOf(merged)).toEqual([[6, 9, 8], [7]]);
  });

  it('keeps a thread that a new one pushed off the first page', () => {
    const merged = withNewestPage(pagesOf([9, 8]), { items: [10, 9].map((id) => fakeThread(id)), nextCursor: 'new' });
    expect(idsOf(merged)).toEqual([[10, 9, 8]]);
  });

  it('keeps the cursors of the cached pages', () => {
    const merged = withNewestPage(pagesOf([9], [8]), { items: [fakeThread(10)], nextCursor: 'new' });
    expect(merged.pages.map((page) => page.nextCursor)).toEqual(['cursor-0', 'cursor-1']);
  });
});

describe('changes of the list', () => {
  it('removes a thread from any page', () => {
    const left = withoutThread(pagesOf([9, 8], [7]), 7);
    expect(idsOf(left)).toEqual([[9, 8], []]);
  });

  it('puts a thread into the place of its time, which may be on another page or on none', () => {
    const at = (id: number, minute: number) => fakeThread(id, { updatedAt: `2026-11-20T10:${minute}:00.000Z` });
    const pages: ThreadPages = {
      pages: [
        { items: [fakeThread(1, { isPinned: true }), at(9, 50)], nextCursor: 'first' },
        { items: [at(8, 40), at(7, 30)], nextCursor: 'second' },
      ],
      pageParams: [null, 'first'],
    };
    expect(idsOf(withThread(pages, at(1, 35)))).toEqual([[9], [8, 1, 7]]);
    expect(idsOf(withThread(pages, at(1, 20)))).toEqual([[9], [8, 7]]);
    expect(idsOf(withThread(pages, fakeThread(7, { isPinned: true })))).toEqual([[7, 1, 9], [8]]);
    expect(idsOf(withThread(pages, at(7, 30)))).toEqual(idsOf(pages));
    const whole = { ...pages, pages: pages.pages.map((page) => ({ ...page, nextCursor: null })) };
    expect(idsOf(withThread(whole, at(1, 20)))).toEqual([[9], [8, 7, 1]]);
  });

  it('renames a thread in place', () => {
    const renamed = withChanges(pagesOf([9, 8]), 8, { title: 'New name' });
    expect(renamed.pages[0]?.items.map(({ title }) => title)).toEqual(['Thread 9', 'New name']);
  });
});
