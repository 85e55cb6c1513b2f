import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { Thread } from '@tanya/contract';
import type { ReactNode } from 'react';
import { holdRequests, serve } from '../api/fake-server';
import { queryClient } from './query-client';
import { undoSummary, useThreadSummary } from './summary.query';
import { threadQuery } from './threads.query';

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

it('asks for no summary while it is undone, and after that', async () => {
  queryClient.clear();
  const address = '/api/chat/threads/1/summary';
  const requested = serve({ [address]: summary('Of one.'), '/api/chat/threads/1': thread(1) });
  const useSummary = () => useThreadSummary(useQuery(threadQuery(1)).data ?? null);
  const { result } = renderHook(useSummary, { wrapper });
  await waitFor(() => expect(result.current?.text).toBe('Of one.'));
  const deletion = holdRequests();
  const undone = undoSummary(1);
  await waitFor(() => expect(deletion.isAsked()).toBe(true));
  // The answer's end changes the thread meanwhile.
  act(() => void queryClient.setQueryData(threadQuery(1).queryKey, thread(1, '2026-11-27T10:02:00.000Z') as Thread));
  const later = serve({ [address]: {}, '/api/chat/threads/1': { ...thread(1), hasSummary: undefined } });
  deletion.release();
  await undone;
  await waitFor(() => expect(later).toContain('/api/chat/threads/1'));
  await waitFor(() => expect(result.current).toBeNull());
  // One read of the summary, and its deletion.
  expect([...requested, ...later].filter((path) => path === address)).toHaveLength(2);
});
