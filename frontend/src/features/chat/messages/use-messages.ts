import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Message } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { errorText, hasCode } from '../../../app/api/api-error';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { onConnected } from '../../../app/socket/socket';
import { notify } from '../../../components/feedback/notify';
import { chatClient, threadCache } from '../client/page-chat-client';
import { rememberGuestThread, useConversationThread } from '../client/conversation-thread';

const NONE: Message[] = [];

export interface LoadedMessages {
  messages: Message[];
  isLoading: boolean;
  failed: boolean;
  /** It is a member's thread and nobody is signed in any more. */
  needsLogin: boolean;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  loadOlder: () => void;
  /** Reads them again after a failure. */
  retry: () => void;
}

/** The messages of a thread as far as they are loaded; answers still being written are taken up. */
export function useMessages(threadId: number | null): LoadedMessages {
  const mayRead = useMayRead(threadId);
  const query = useQuery({ ...threadMessagesQuery(threadId ?? 0), enabled: threadId !== null && mayRead });
  const needsLogin = !mayRead && query.isPending && query.fetchStatus === 'idle';
  const messages = threadId === null ? NONE : (query.data?.items ?? NONE);
  const [isLoadingOlder, setLoadingOlder] = useState(false);

  useEffect(() => chatClient.attach(messages), [messages]);

  useRefreshAfterReconnect(threadId, query.isError);
  const isExpiredGuestThread = useForgottenGuestThread(threadId, query.error);

  const loadOlder = () => {
    if (threadId === null || isLoadingOlder) return;
    setLoadingOlder(true);
    threadCache.loadOlder(threadId).then(
      // One frame later, when the list has taken the older messages in at its upper end.
      () => setTimeout(() => setLoadingOlder(false), 50),
      (error: unknown) => {
        setLoadingOlder(false);
        notify({ title: 'Older messages could not be loaded', description: errorText(error), kind: 'error' });
      },
    );
  };

  return {
    messages,
    isLoading: threadId !== null && query.isPending && !needsLogin,
    failed: query.isError && !isExpiredGuestThread,
    needsLogin,
    hasOlder: Boolean(query.data?.nextCursor),
    isLoadingOlder,
    loadOlder,
    retry: () => void query.refetch(),
  };
}

/** Whoever is known to be a guest may read the one thread that this page remembers; asking for another leads to nothing. */
function useMayRead(threadId: number | null): boolean {
  const { data: user } = useQuery(currentUserQuery);
  const guestThread = useConversationThread((state) => state.guestThread);
  return threadId === null || user !== null || threadId === guestThread;
}

/** What other tabs did, and what could not be read, while there was no connection is read when there is one again. */
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

/** A guest's conversation is kept for a day; when it is gone the page begins a new one without a fuss. */
function useForgottenGuestThread(threadId: number | null, error: unknown): boolean {
  const guestThread = useConversationThread((state) => state.guestThread);
  const isExpired = threadId !== null && threadId === guestThread && hasCode(error, 'not_found');
  useEffect(() => {
    if (isExpired) rememberGuestThread(null);
  }, [isExpired]);
  return isExpired;
}
