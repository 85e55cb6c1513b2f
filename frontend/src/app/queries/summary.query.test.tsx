import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { serve } from '../api/fake-server';
import { queryClient } from './query-client';
import { useThreadSummary } from './summary.query';

const summary = (text: string) => ({ text, upToMessageId: 4, tokensBefore: 9_000, tokensAfter: 800, costUsd: null });
const thread = (id: number, updatedAt = '2026-11-27T10:00:00.000Z') => ({ id, updatedAt, hasSummary: true });

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

it('keeps the summary of a chat while it is read again, and shows none of another chat', async () => {
  queryClient.clear();
  serve({ '/api/chat/threads/1/summary': summary('Of one.'), '/api/chat/threads/2/summary': summary('Of two.') });
  const { result, rerender } = renderHook(useThreadSummary, { wrapper, initialProps: thread(1) });
  await waitFor(() => expect(result.current?.text).toBe('Of one.'));
  rerender(thread(1, '2026-11-27T10:01:00.000Z'));
  expect(result.current?.text).toBe('Of one.');
  rerender(thread(2));
  expect(result.current).toBeNull();
  await waitFor(() => expect(result.current?.text).toBe('Of two.'));
});
