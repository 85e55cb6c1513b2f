import { threadCache } from '../client/chat-client-singleton';
import { useFoundMessage } from './found-message-store';

/** Loads all messages of a thread; the list keeps its position while they are inserted above. */
export async function loadWholeThread(threadId: number): Promise<void> {
  useFoundMessage.setState({ isLoadingThread: true });
  try {
    await threadCache.loadAll(threadId);
  } finally {
    useFoundMessage.setState({ isLoadingThread: false });
  }
}
