import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { v4 as uuid } from 'uuid';
import { useStore } from 'zustand';
import { adoptThread } from '../../../app/state/conversation';
import { currentUserQuery } from '../../../app/queries/user.query';
import { onEvent } from '../../../app/socket/socket';
import { markOpen } from '../../../app/state/thread-activity';
import { conversationThreads, storeGuestThread } from '../client/conversation-thread-store';
import type { ConversationKey } from '../client/outbox-store';
import { endNewChat, homeConversationKey } from './first-send';

export interface Conversation {
  key: ConversationKey;
  threadId: number | null;
}

/**
 * The conversation of the page. A member's address has the thread id, which is added once the server has created the
 * thread. A guest's address has none; the id is stored in the browser. After a login the guest's thread is the member's.
 */
export function useConversation(routeThreadId: number | null): Conversation {
  const [newKey, setNewKey] = useState(() => (routeThreadId === null ? homeConversationKey(makeKey()) : makeKey()));
  const { data: user } = useQuery(currentUserQuery);
  const createdThread = useStore(conversationThreads, (state) => state.threads[newKey] ?? null);
  const guestThread = useStore(conversationThreads, (state) => state.guestThread);
  const [wasGuest, setWasGuest] = useState(false);
  if (user === null && !wasGuest) setWasGuest(true);
  const staysBehind = useStore(
    conversationThreads,
    ({ ofGuest }) => createdThread !== null && ofGuest.includes(createdThread),
  );
  // A login leaves the temporary thread of a guest behind.
  if (user && staysBehind) setNewKey(makeKey());
  const visibleGuestThread = user === null || wasGuest ? guestThread : null;
  const threadId = routeThreadId ?? createdThread ?? visibleGuestThread;

  useEffect(() => {
    if (routeThreadId === null) endNewChat();
  }, [routeThreadId]);

  useEffect(() => {
    // A temporary one is left by a reload too.
    if (routeThreadId === null && createdThread !== null && user === null && !staysBehind)
      storeGuestThread(createdThread);
  }, [routeThreadId, createdThread, user, staysBehind]);

  const navigate = useNavigate();
  const needsAddress = routeThreadId === null && threadId !== null && Boolean(user);
  useEffect(() => {
    if (!needsAddress || threadId === null) return;
    storeGuestThread(null);
    adoptThread(threadId);
    void navigate({ to: '/chat/$id', params: { id: threadId }, replace: true });
  }, [needsAddress, threadId, navigate]);

  useEffect(
    () =>
      // The thread was deleted, in this tab or in another one, or that of a guest has expired.
      onEvent('thread:deleted', (deleted) => {
        if (deleted.threadId === routeThreadId) void navigate({ to: '/', replace: true });
        else if (deleted.threadId === threadId) {
          storeGuestThread(null);
          // Not the key of the deleted thread. The text in the composer stays.
          setNewKey(makeKey());
        }
      }),
    [routeThreadId, threadId, navigate],
  );

  useEffect(() => {
    markOpen(threadId);
    return () => markOpen(null);
  }, [threadId]);

  return { key: threadId === null ? newKey : String(threadId), threadId };
}

function makeKey(): ConversationKey {
  return `draft-${uuid()}`;
}
