import type { Message } from '@tanya/contract';
import { fetchPageOwner, onOwnerChanged, pageOwner } from '../../../app/session/page-owner';
import { queryClient } from '../../../app/queries/query-client';
import { onConnected, onEvent, reconnectSoon, replayEvent, request, useConnection } from '../../../app/socket/socket';
import { markSettled, markStreaming, resetStreaming } from '../../../app/state/thread-activity';
import { ChatClient } from './chat-client';
import type { ChatSocket } from './chat-ports';
import { recordThread } from './conversation-thread-store';
import { outbox } from './outbox-store';
import { streamingStore } from './streaming-store';
import { ThreadCache } from './thread-cache';

const socket: ChatSocket = {
  request,
  onGenerationEvent: (listener) => onEvent('generation:event', listener),
  onConnected,
  isConnected: () => useConnection.getState().status === 'connected',
  reconnect: reconnectSoon,
};

const owner = { current: pageOwner, load: fetchPageOwner, onChanged: onOwnerChanged };

type FinishListener = (message: Message) => void;
const finishListeners = new Set<FinishListener>();

/** Subscribes to finished answers of every thread; returns the function that unsubscribes. */
export function onAnswerFinished(listener: FinishListener): () => void {
  finishListeners.add(listener);
  return () => finishListeners.delete(listener);
}

export const threadCache = new ThreadCache(queryClient, (threadId) => replayEvent('thread:deleted', { threadId }));

/** The page's only chat client. It starts when this module loads and stays connected on every screen. */
export const chatClient = new ChatClient(socket, owner, threadCache, streamingStore, outbox, {
  answerStarted: markStreaming,
  connected: resetStreaming,
  answerFinished: (message) => {
    markSettled(message.threadId);
    finishListeners.forEach((listener) => listener(message));
  },
  threadCreated: recordThread,
});

chatClient.start();

// The active version changed, in this tab or in another one.
onEvent('thread:changed', ({ threadId, activeLeafId }) => {
  if (activeLeafId !== undefined && !threadCache.isAbsentOrEndsWith(threadId, activeLeafId)) {
    void threadCache.refresh(threadId);
  }
});
