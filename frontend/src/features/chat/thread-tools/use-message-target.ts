import { useEffect, useRef } from 'react';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { type MessageTarget, useMessageTarget } from '../../../app/state/message-target';
import { fail } from '../../../components/feedback/fail';
import { threadCache } from '../client/chat-client-singleton';
import { trackChange } from '../client/thread-changes';
import { showMessage, useFoundMessage } from '../shared/found-message-store';
import { loadWholeThread } from '../shared/load-whole-thread';

/** Shows the message that a search outside of the chat has chosen in this thread. */
export function useMessageTargetOf(threadId: number): void {
  const target = useMessageTarget((state) => (state.target?.threadId === threadId ? state.target : null));
  const open = useRef<number>(null);
  useEffect(() => {
    open.current = threadId;
    return () => {
      open.current = null;
      // Another conversation has other words.
      useFoundMessage.setState({ requested: null });
    };
  }, [threadId]);
  useEffect(() => {
    if (!target) return;
    useMessageTarget.setState({ target: null });
    show(target, () => open.current === target.threadId).catch(fail('palette.messageFailed'));
  }, [target]);
}

async function show({ threadId, messageId, words }: MessageTarget, isOpen: () => boolean): Promise<void> {
  await queryClient.ensureQueryData(threadMessagesQuery(threadId));
  const isLoaded = () => threadCache.message(threadId, messageId) !== undefined;
  if (!isLoaded()) await loadWholeThread(threadId);
  if (!isLoaded()) {
    // The message is on another version of the conversation.
    await trackChange(threadId, api.patch(`/api/chat/threads/${threadId}`, { activeLeafId: messageId }));
    await threadCache.refresh(threadId);
    if (!isLoaded()) await loadWholeThread(threadId);
  }
  if (!isOpen()) return;
  showMessage(messageId, words);
  // The other places of the words are in messages that are not loaded yet.
  await loadWholeThread(threadId);
}
