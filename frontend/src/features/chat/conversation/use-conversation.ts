import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { v4 as uuid } from 'uuid';
import { adoptThread } from '../../../app/state/conversation';
import { currentUserQuery } from '../../../app/queries/user.query';
import { onEvent } from '../../../app/socket/socket';
import { markOpen } from '../../../app/state/thread-activity';
import { firstDraft, rememberGuestThread, useConversationThread } from '../client/conversation-thread';
import type { ConversationKey } from '../client/outbox-store';

export interface Conversation {
  key: ConversationKey;
  threadId: number | null;
}

/** Only what the page was loaded with is taken up again; New chat is new even while a send waits. */
let isPageFresh = true;

function nextDraft(): ConversationKey {
  const fresh = `draft-${uuid()}`;
  return isPageFresh ? firstDraft(fresh) : fresh;
}

/**
 * Which conversation the page shows. Members have their thread in the address, put there when a new conversation gets
 * one; a guest's address stays and the thread is remembered beside it. After a login the guest's thread is the member's.
 */
export function useConversation(routeThreadId: number | null): Conversation {
  const [draft] = useState(nextDraft);
  const { data: user } = useQuery(currentUserQuery);
  const openedHere = useConversationThread((state) => state.threads[draft] ?? null);
  const guestThread = useConversationThread((state) => state.guestThread);
  const [wasGuest, setWasGuest] = useState(false);
  if (user === null && !wasGuest) setWasGuest(true);
  const ofGuest = user === null || wasGuest ? guestThread : null;
  const threadId = routeThreadId ?? openedHere ?? ofGuest;

  useEffect(() => {
    isPageFresh = false;
  }, []);

  useEffect(() => {
    if (routeThreadId === null && openedHere !== null && user === null) rememberGuestThread(openedHere);
  }, [routeThreadId, openedHere, user]);

  const navigate = useNavigate();
  const needsAddress = routeThreadId === null && threadId !== null && Boolean(user);
  useEffect(() => {
    if (!needsAddress || threadId === null) return;
    rememberGuestThread(null);
    adoptThread(threadId);
    void navigate({ to: '/chat/$id', params: { id: threadId }, replace: true });
  }, [needsAddress, threadId, navigate]);

  useEffect(
    () =>
      // Another tab deleted it; there is nothing left to show here.
      onEvent('thread:deleted', (deleted) => {
        if (deleted.threadId === routeThreadId) void navigate({ to: '/', replace: true });
      }),
    [routeThreadId, navigate],
  );

  useEffect(() => {
    markOpen(threadId);
    return () => markOpen(null);
  }, [threadId]);

  return { key: threadId === null ? draft : String(threadId), threadId };
}
