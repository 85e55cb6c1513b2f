import { infiniteQueryOptions, queryOptions, type Query } from '@tanstack/react-query';
import type { Message, Thread } from '@tanya/contract';
import { api, type Page } from '../api/api-client';
import { QUERY_KEYS } from './query-keys';

/** Pages of threads, newest first. */
export const threadsQuery = () =>
  infiniteQueryOptions({
    queryKey: QUERY_KEYS.threadLists,
    queryFn: ({ pageParam, signal }) => api.getPage<Thread>(threadsPath(pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

/** @param before the cursor of a page; null for the newest threads */
export function threadsPath(before: string | null): string {
  return before ? `/api/chat/threads?${new URLSearchParams({ before })}` : '/api/chat/threads';
}

export const threadPath = (threadId: number): string => `/api/chat/threads/${threadId}`;

/** The key of all that is read of one thread. */
export const threadKey = (threadId: number) => ['threads', threadId] as const;

/** One thread without its messages. */
export const threadQuery = (threadId: number) =>
  queryOptions({
    queryKey: [...threadKey(threadId), 'thread'],
    queryFn: ({ signal }) => api.get<Thread>(threadPath(threadId), signal),
  });

/** Whether a query reads a thread without its messages. */
export const isThreadQuery = ({ queryKey }: Pick<Query, 'queryKey'>): boolean => queryKey[2] === 'thread';

/** Whether a query reads the messages of a thread. */
export const isMessagesQuery = ({ queryKey }: Pick<Query, 'queryKey'>): boolean => queryKey[2] === 'messages';

/** The newest messages of a thread's active path, oldest first; `nextCursor` is the cursor of older ones. */
export const threadMessagesQuery = (threadId: number) =>
  queryOptions({
    queryKey: [...threadKey(threadId), 'messages'],
    queryFn: ({ signal }) => fetchMessages(threadId, {}, signal),
  });

export function fetchMessages(
  threadId: number,
  { before, limit }: { before?: string; limit?: number } = {},
  signal?: AbortSignal,
): Promise<Page<Message>> {
  const search = new URLSearchParams();
  if (before) search.set('before', before);
  if (limit) search.set('limit', String(limit));
  const path = `/api/chat/threads/${threadId}/messages`;
  return api.getPage<Message>(search.size > 0 ? `${path}?${search}` : path, signal);
}
