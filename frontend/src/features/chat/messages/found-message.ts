import { create } from 'zustand';

interface FoundMessageStore {
  /** The message to bring on the screen; a new object at each wish, so that the same one can be asked for again. */
  wanted: { messageId: number } | null;
  /** True while the whole thread is read for a search: what comes in stands above what the reader looks at. */
  isReading: boolean;
}

/** What the search in a conversation asks of the list that shows it. */
export const useFoundMessage = create<FoundMessageStore>()(() => ({ wanted: null, isReading: false }));

export function showMessage(messageId: number): void {
  useFoundMessage.setState({ wanted: { messageId } });
}
