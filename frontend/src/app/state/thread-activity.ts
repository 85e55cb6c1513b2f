import { create } from 'zustand';

interface ThreadActivityStore {
  /** Threads whose answer is being written right now. */
  streaming: ReadonlySet<number>;
  /** Threads whose answer finished out of sight: while another was open, or in a hidden tab. */
  unread: ReadonlySet<number>;
  /** The thread on the screen. */
  open: number | null;
}

/** What the chat knows and the thread list shows. */
export const useThreadActivity = create<ThreadActivityStore>()(() => ({
  streaming: new Set(),
  unread: new Set(),
  open: null,
}));

const { getState, setState } = useThreadActivity;

export function markStreaming(threadId: number): void {
  if (!getState().streaming.has(threadId)) setState({ streaming: new Set(getState().streaming).add(threadId) });
}

/** The answer ended: the mark goes, and the thread is unread unless somebody sees it. */
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

export function forgetThread(threadId: number): void {
  setState({ streaming: without(getState().streaming, threadId), unread: without(getState().unread, threadId) });
}

function without(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  if (!set.has(id)) return set;
  const copy = new Set(set);
  copy.delete(id);
  return copy;
}
