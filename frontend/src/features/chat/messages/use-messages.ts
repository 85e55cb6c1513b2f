import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Message } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { hasCode } from '../../../app/api/api-error';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { onConnected } from '../../../app/socket/socket';
import { showFailure } from '../../../components/feedback/fail';
import { chatClient, threadCache } from '../client/chat-client-singleton';
import { conversationThreads, storeGuestThread } from '../client/conversation-thread-store';

const NO_MESSAGES: Message[] = [];

export interface LoadedMessages {
  messages: Message[];
  isLoading: boolean;
  failed: boolean;
  /** A guest's page has the address of a thread that is not its own: a member's, or none. */
  needsLogin: boolean;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  loadOlder: () => void;
  /** Reads the messages again after a failure. */
  retry: () => void;
}

/** The loaded messages of a thread. Running answers among them are resumed. */
export function useMessages(threadId: number | null): LoadedMessages {
  const mayRead = useMayRead(threadId);
  const query = useQuery({ ...threadMessagesQuery(threadId ?? 0), enabled: threadId !== null && mayRead });
  // A guest's page makes no request that the server refuses.
  const isRefused = !mayRead && query.isPending && query.fetchStatus === 'idle';
  const messages = threadId === null ? NO_MESSAGES : (query.data?.items ?? NO_MESSAGES);
  const [isLoadingOlder, setLoadingOlder] = useState(false);

  useEffect(() => chatClient.attach(messages), [messages]);

  useRefreshAfterReconnect(threadId, query.isError);
  const isExpiredGuestThread = useExpiredGuestThread(threadId, query.error);
  // Loaded messages stay when a later read fails, unless the thread is gone.
  const hasFailed = query.isLoadingError || hasCode(query.error, 'not_found');
  const isUnreadable = isRefused || (hasFailed && !isExpiredGuestThread);
  const needsLogin = isUnreadable && !mayRead;

  const loadOlder = () => {
    if (threadId === null || isLoadingOlder) return;
    setLoadingOlder(true);
    threadCache.loadOlder(threadId).then(
      // Later, when the list has rendered the older messages.
      () => setTimeout(() => setLoadingOlder(false), 50),
      (error: unknown) => {
        setLoadingOlder(false);
        showFailure('conversation.olderFailed', error);
      },
    );
  };

  return {
    messages,
    isLoading: threadId !== null && query.isPending && !isRefused,
    failed: isUnreadable && !needsLogin,
    needsLogin,
    hasOlder: Boolean(query.data?.nextCursor),
    isLoadingOlder,
    loadOlder,
    retry: () => void query.refetch(),
  };
}

/** A guest may read only the thread whose id the browser stores; the server refuses any other. */
function useMayRead(threadId: number | null): boolean {
  const { data: user } = useQuery(currentUserQuery);
  const guestThread = useStore(conversationThreads, (state) => state.guestThread);
  return threadId === null || user !== null || threadId === guestThread;
}

/** Refreshes the thread on a new connection: other tabs may have changed it, or its last read may have failed. */
function useRefreshAfterReconnect(threadId: number | null, failed: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (threadId === null) return;
    return onConnected(() => {
      if (failed) void client.invalidateQueries({ queryKey: threadMessagesQuery(threadId).queryKey });
      else if (threadCache.has(threadId)) void threadCache.refresh(threadId);
    });
  }, [client, threadId, failed]);
}

/** Starts a new conversation when the guest's thread has expired after a day, without an error. */
function useExpiredGuestThread(threadId: number | null, error: unknown): boolean {
  const guestThread = useStore(conversationThreads, (state) => state.guestThread);
  const isExpired = threadId !== null && threadId === guestThread && hasCode(error, 'not_found');
  useEffect(() => {
    if (isExpired) storeGuestThread(null);
  }, [isExpired]);
  return isExpired;
}
