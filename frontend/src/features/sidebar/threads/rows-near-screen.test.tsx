import type { Thread } from '@tanya/contract';
import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { fakeThread } from '../../../app/queries/fake-thread';
import { RowsNearScreen } from './rows-near-screen';

/** Reports that an item has come near the screen, or has left it. */
const reports = new Map<Element, (isIntersecting: boolean) => void>();
const margins = new Map<Element, string | undefined>();
const original = globalThis.IntersectionObserver;

const chats = Array.from({ length: 95 }, (_, index) => fakeThread(index + 1));
const listOf = (threads: readonly Thread[]) => (
  <ul>
    <RowsNearScreen threads={threads}>{({ id }) => <a href={`/chat/${id}`}>Chat {id}</a>}</RowsNearScreen>
  </ul>
);
let rerender: (list: ReactNode) => void;

beforeEach(() => {
  globalThis.IntersectionObserver = class {
    constructor(
      private readonly report: IntersectionObserverCallback,
      private readonly options: IntersectionObserverInit,
    ) {}
    observe(element: Element) {
      margins.set(element, this.options.rootMargin);
      reports.set(element, (isIntersecting) =>
        this.report([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver),
      );
    }
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
  ({ rerender } = render(listOf(chats)));
});

afterEach(() => {
  globalThis.IntersectionObserver = original;
  reports.clear();
});

const isMounted = (id: number) => screen.queryByRole('link', { name: `Chat ${id}` }) !== null;
const item = (id: number) => screen.getByRole('link', { name: `Chat ${id}` }).closest('li')!;
const report = (element: Element, isNear: boolean) => act(() => reports.get(element)!(isNear));

test('mounts the rows near the screen alone, and says how many there are', () => {
  const placeholders = screen.getAllByRole('presentation');
  expect([isMounted(40), isMounted(41), placeholders.length]).toEqual([true, false, 6]);
  expect(screen.getAllByRole('listitem')).toHaveLength(40);
  report(placeholders[5]!, true);
  expect([isMounted(90), isMounted(91), isMounted(95)]).toEqual([false, true, true]);
  expect([item(95).ariaPosInSet, item(95).ariaSetSize]).toEqual(['95', '95']);
  report(item(91), false);
  expect(isMounted(95)).toBe(false);
});

test('keeps the rows that have the focus', () => {
  screen.getByRole('link', { name: 'Chat 15' }).focus();
  report(item(11), false);
  report(item(21), false);
  expect([isMounted(15), isMounted(25)]).toEqual([true, false]);
});

test('keeps the focus of a row that a new chat moves into the next ten', () => {
  const link = screen.getByRole('link', { name: 'Chat 10' });
  link.focus();
  rerender(listOf([fakeThread(96), ...chats]));
  expect(document.activeElement).toBe(link);
  expect(item(10).ariaPosInSet).toBe('11');
});

test('unmounts rows further from the screen than it mounts them, so that neither report undoes the other', () => {
  const [empty] = screen.getAllByRole('presentation');
  expect([margins.get(item(11)), margins.get(empty!)]).toEqual(['1500px 0px', '1000px 0px']);
});
