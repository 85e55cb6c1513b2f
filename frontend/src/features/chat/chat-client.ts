import { askForOwner, onOwnerChanged, pageOwner } from '../../app/page-owner';
import { queryClient } from '../../app/query-client';
import { onConnected, onEvent, request, useConnection } from '../../app/socket';
import { markSettled, markStreaming } from '../../app/thread-activity';
import { announceAnswer } from './announcement-store';
import type { ChatSocket } from './chat-ports';
import { ChatSession } from './chat-session';
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

const owner = { current: pageOwner, ask: askForOwner, onChanged: onOwnerChanged };

/** The page's one chat session. It listens from now on, whatever screen is shown. */
export const chatSession = new ChatSession(socket, owner, threadCache, streamingStore, outbox, {
  answering: markStreaming,
  answered: (message) => {
    markSettled(message.threadId);
    void announceAnswer(message);
    markTitle();
  },
  threadOpened: noteThread,
});

chatSession.start();

// Another version was chosen, in this tab or in another.
onEvent('thread:changed', ({ threadId, activeLeafId }) => {
  if (activeLeafId !== undefined && !threadCache.endsWith(threadId, activeLeafId)) void threadCache.refresh(threadId);
});
