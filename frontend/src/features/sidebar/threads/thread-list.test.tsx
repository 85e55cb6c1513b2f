import { jest } from '@jest/globals';
import type { Thread } from '@tanya/contract';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeThread } from '../../../app/queries/fake-thread';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { threadsQuery } from '../../../app/queries/threads.query';
import { sari } from '../../../app/session/fake-user';
import { FakeRoute } from '../../../components/layout/fake-route';
import { useSections } from '../sections-store';
import { endSelection, startSelection } from './selection-store';
import { ThreadList } from './thread-list';
import { waitingQuery } from './waiting.query';

const now = new Date().toISOString();
const thread = (id: number) => fakeThread(id, { createdAt: now, updatedAt: now, isPinned: id === 1 });

const threads = [thread(1), thread(2), thread(3), { ...thread(4), waiting: true }];

function showList(): void {
  render(
    <FakeRoute>
      <ThreadList onNavigate={() => undefined} />
    </FakeRoute>,
  );
}

beforeEach(async () => {
  queryClient.clear();
  serve({
    '/api/session': { user: sari },
    '/api/chat/threads': threads,
    '/api/chat/threads?state=waiting&limit=200': [threads[3]],
  });
  showList();
  await screen.findByRole('link', { name: 'Thread 2' });
});

afterEach(() => act(endSelection));

const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked);

test('shows pinned threads in a group of their own', () => {
  const pinned = screen.getByRole('list', { name: 'Pinned' });
  expect(within(pinned).getAllByRole('link')).toHaveLength(1);
});

test('groups the chats anew on the next day', async () => {
  const minutes: (() => void)[] = [];
  const setInterval = jest.spyOn(globalThis, 'setInterval').mockImplementation((listener) => {
    minutes.push(listener as () => void);
    return 0;
  });
  const today = Date.now();
  cleanup();
  showList();
  await screen.findByRole('list', { name: 'Today' });
  setInterval.mockRestore();
  jest.useFakeTimers({ now: today + 24 * 60 * 60 * 1000 });
  act(() => minutes.forEach((listener) => listener()));
  jest.useRealTimers();
  expect(screen.getByRole('list', { name: 'Yesterday' })).toBeDefined();
});

test('marks the row of each chat that waits for approval', () => {
  const marks = screen.getAllByRole('img', { name: 'Waiting for your approval' });
  expect(marks.map((mark) => mark.closest('li')?.textContent)).toEqual(['Thread 4']);
});

test('lists an archived chat that waits for approval in a group of its own', async () => {
  const archived = { ...thread(9), isArchived: true, waiting: true };
  act(() => void queryClient.setQueryData(waitingQuery.queryKey, [threads[3]!, archived]));
  const group = await screen.findByRole('list', { name: 'Waiting for your approval' });
  expect(
    within(group)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Thread 9']);
});

test('selects threads by keyboard and in ranges, and ends the selection with Escape', async () => {
  const user = userEvent.setup();
  act(() => startSelection(2));
  const second = await screen.findByRole('checkbox', { name: 'Select Thread 2' });
  await waitFor(() => expect(document.activeElement).toBe(second));
  expect(screen.getByRole('status').textContent).toBe('1 selected');
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select Thread 4' }));
  await user.keyboard('{/Shift}');
  expect(boxes()).toEqual([false, true, true, true]);
  act(() => screen.getByRole('checkbox', { name: 'Select Thread 3' }).focus());
  await user.keyboard(' ');
  expect(boxes()).toEqual([false, true, false, true]);
  await user.click(screen.getByRole('button', { name: 'Select all shown chats' }));
  expect(boxes()).toEqual([true, true, true, true]);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('toolbar')).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Thread 1'));
});

test('a short list leaves room for open sections, and a chat more folds none', async () => {
  await waitFor(() => expect(useSections.getState().hasRoom).toBe(true));
  const items = [...threads, thread(5), thread(6)];
  act(
    () =>
      void queryClient.setQueryData(threadsQuery().queryKey, {
        pages: [{ items, nextCursor: null }],
        pageParams: [null],
      }),
  );
  await screen.findByRole('link', { name: 'Thread 6' });
  expect(useSections.getState().hasRoom).toBe(true);
});

test('waits for the user after a failed read of older chats', async () => {
  const originalObserver = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = class {
    constructor(private readonly report: IntersectionObserverCallback) {}
    observe() {
      const seen = [{ isIntersecting: true }] as IntersectionObserverEntry[];
      setTimeout(() => this.report(seen, this as unknown as IntersectionObserver));
    }
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
  const failing = '/api/chat/threads?before=older';
  const answers: Record<string, unknown> = { [failing]: { statusCode: 500, code: 'internal', message: 'No.' } };
  const requests = serve(answers);
  const firstPage = { items: threads, nextCursor: 'older' };
  act(() => void queryClient.setQueryData(threadsQuery().queryKey, { pages: [firstPage], pageParams: [null] }));
  const again = await screen.findByRole('button', { name: 'Try Again' });
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(requests).toEqual([failing]);
  answers[failing] = [thread(5)];
  const answer = globalThis.fetch;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  globalThis.fetch = (...request) => released.then(() => answer(...request));
  await userEvent.click(again);
  await waitFor(() => expect(again).toHaveProperty('disabled', true));
  release();
  expect(await screen.findByRole('link', { name: 'Thread 5' })).toBeDefined();
  expect(requests).toEqual([failing, failing]);
  globalThis.IntersectionObserver = originalObserver;
});

test('renders no row again when a page is added', async () => {
  let reads = 0;
  const counted = Object.defineProperty(thread(5), 'title', {
    enumerable: true,
    get: () => {
      reads += 1;
      return 'Thread 5';
    },
  });
  const addPage = (items: Thread[]) =>
    act(
      () =>
        void queryClient.setQueryData(
          threadsQuery().queryKey,
          (list) =>
            list && {
              pages: [...list.pages, { items, nextCursor: null }],
              pageParams: [...list.pageParams, null],
            },
        ),
    );
  addPage([counted]);
  await screen.findByRole('link', { name: 'Thread 5' });
  const before = reads;
  expect(before).toBeGreaterThan(0);
  addPage([thread(6)]);
  await screen.findByRole('link', { name: 'Thread 6' });
  expect(reads).toBe(before);
});
