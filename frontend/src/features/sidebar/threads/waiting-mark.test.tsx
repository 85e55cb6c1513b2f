import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import type { Thread } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { setTitle } from '../../../app/browser/page-title';
import { queryClient } from '../../../app/queries/query-client';
import { clearActivity } from '../../../app/sync/thread-list-cache';
import { refreshThreads } from '../../../app/sync/thread-refresh';
import WaitingMark from './waiting-mark';

const thread = (id: number, change: Partial<Thread> = {}): Thread => ({
  id,
  title: `Thread ${id}`,
  userId: 1,
  modelId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  streaming: false,
  isPinned: false,
  isArchived: false,
  tools: [],
  useInstructions: null,
  ...change,
});

const title = (expected: string) => waitFor(() => expect(document.title).toBe(expected), { timeout: 30_000 });

test('marks the tab while any chat of the account waits for approval', async () => {
  queryClient.clear();
  setTitle('Harbour');
  const answers: Record<string, unknown> = { '/api/chat/threads': [thread(2), thread(1, { waiting: true })] };
  serve(answers);
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <WaitingMark />
    </QueryClientProvider>,
  );
  await title('● Harbour');
  act(() => clearActivity(1));
  await title('Harbour');
  answers['/api/chat/threads'] = [thread(2, { waiting: true }), thread(1)];
  await act(() => refreshThreads([2]));
  await title('● Harbour');
  unmount();
  await title('Harbour');
});
