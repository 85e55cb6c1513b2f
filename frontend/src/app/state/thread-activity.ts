import { create } from 'zustand';

interface ThreadActivityStore {
  streaming: ReadonlySet<number>;
  /** Threads whose generation ended while another thread was open or the tab was hidden. */
  unread: ReadonlySet<number>;
  open: number | null;
}

/** Activity marks of threads: written by the chat, shown in the thread list. */
export const useThreadActivity = create<ThreadActivityStore>()(() => ({
  streaming: new Set(),
  unread: new Set(),
  open: null,
}));

const { getState, setState } = useThreadActivity;

export function markStreaming(threadId: number): void {
  if (!getState().streaming.has(threadId)) setState({ streaming: new Set(getState().streaming).add(threadId) });
}

/** Replaces the streaming marks. The thread list, which a new connection reads again, has those of all other threads. */
export function resetStreaming(threadIds: number[]): void {
  setState({ streaming: new Set(threadIds) });
}

/** Ends the streaming mark; the thread becomes unread unless it is on the screen. */
export function markSettled(threadId: number): void {
  const { streaming, unread, open } = getState();
  setState({
    streaming: without(streaming, threadId),
    unread: open === threadId && !document.hidden ? unread : new Set(unread).add(threadId),
  });
}

export function markOpen(threadId: number | null): void {
  setState({ open: threadId, unread: threadId === null ? getState().unread : without(getState().unread, threadId) });
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) markOpen(getState().open);
});

export function removeThread(threadId: number): void {
  setState({ streaming: without(getState().streaming, threadId), unread: without(getState().unread, threadId) });
}

function without(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  if (!set.has(id)) return set;
  const copy = new Set(set);
  copy.delete(id);
  return copy;
}
