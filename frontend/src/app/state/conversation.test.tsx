import { act, renderHook } from '@testing-library/react';
import { adoptThread, beginConversation, onConversationBegun, useChatPageKey } from './conversation';

interface Place {
  id: number | null;
  projectId?: number;
}

function keyOf(threadId: number | null, projectId?: number) {
  const initialProps: Place = { id: threadId, projectId };
  return renderHook((place: Place) => useChatPageKey(place.id, place.projectId), { initialProps });
}

describe('useChatPageKey', () => {
  it('keeps the view when a new conversation becomes a thread', () => {
    const { result, rerender } = keyOf(null);
    const before = result.current;
    act(() => adoptThread(7));
    expect(result.current).toBe(before);
    rerender({ id: 7 });
    expect(result.current).toBe(before);
  });

  it('changes the view between threads, and for the empty chat that follows an adopted thread', () => {
    const { result, rerender } = keyOf(null);
    act(() => adoptThread(8));
    rerender({ id: 8 });
    const adopted = result.current;
    rerender({ id: 9 });
    expect(result.current).not.toBe(adopted);
    rerender({ id: 8 });
    rerender({ id: null });
    expect(result.current).not.toBe(adopted);
  });

  it('changes the view when the new chat of a project is left for one without', () => {
    const { result, rerender } = keyOf(null, 12);
    const before = result.current;
    rerender({ id: null });
    expect(result.current).not.toBe(before);
    rerender({ id: null, projectId: 12 });
    act(() => adoptThread(10));
    rerender({ id: 10 });
    expect(result.current).toBe(before);
  });

  it('changes the view when a new chat starts from an empty chat', () => {
    let begun = 0;
    const stop = onConversationBegun(() => (begun += 1));
    const { result } = keyOf(null);
    const before = result.current;
    act(() => beginConversation());
    stop();
    expect(result.current).not.toBe(before);
    expect(begun).toBe(1);
  });
});
