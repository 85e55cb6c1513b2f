import { fetchPageOwner, onOwnerChanged, pageOwner } from '../../../app/session/page-owner';
import { queryClient } from '../../../app/queries/query-client';
import { onConnected, onEvent, request, useConnection } from '../../../app/socket/socket';
import { markSettled, markStreaming } from '../../../app/state/thread-activity';
import { announceAnswer } from './announcement-store';
import type { ChatSocket } from './chat-ports';
import { ChatClient } from './chat-client';
import { noteThread } from './conversation-thread';
import { outbox } from './outbox-store';
import { streamingStore } from './streaming-store';
import { ThreadCache } from './thread-cache';
import { markTitle } from './title-mark';

const socket: ChatSocket = {
  request,
  onGenerationEvent: (listener) => onEvent('generation:event', listener),
  onConnected,
  isConnected: () => useConnection.getState().status === 'connected',
};

export const threadCache = new ThreadCache(queryClient);

const owner = { current: pageOwner, ask: fetchPageOwner, onChanged: onOwnerChanged };

/** The page's one chat session. It listens from now on, whatever screen is shown. */
export const chatClient = new ChatClient(socket, owner, threadCache, streamingStore, outbox, {
  answering: markStreaming,
  answered: (message) => {
    markSettled(message.threadId);
    void announceAnswer(message);
    markTitle();
  },
  threadOpened: noteThread,
});

chatClient.start();

// Another version was chosen, in this tab or in another.
onEvent('thread:changed', ({ threadId, activeLeafId }) => {
  if (activeLeafId !== undefined && !threadCache.endsWith(threadId, activeLeafId)) void threadCache.refresh(threadId);
});
