import { useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isOpen, type Message } from '@tanya/contract';
import type { StreamingEntry } from '../client/generation-reducer';
import { streamingStore } from '../client/streaming-store';
import { rememberSelection } from './kept-selection';
import { AnswerReveal } from './reveal/answer-reveal';
import { pageClock } from './reveal/page-clock';

streamingStore.createReveal = (entry) => new AnswerReveal(entry, pageClock);

/**
 * Selects from the entry of a running answer, updated once per frame. `useSyncExternalStore` is not used: React schedules
 * an extra task after each of its updates, which is a tenth of the cost of a token.
 * @param isSame whether two values look the same, so that the second needs no rendering
 */
export function useStreaming<T>(
  generationId: string | null,
  select: (entry: StreamingEntry | undefined) => T,
  isSame: (one: T, other: T) => boolean = Object.is,
): T {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const value = select(shownEntry(generationId));
  const latest = useRef({ select, value, isSame });
  useLayoutEffect(() => {
    latest.current = { select, value, isSame };
  });
  useLayoutEffect(() => {
    const hasChanged = () => {
      const { select, value, isSame } = latest.current;
      return !isSame(select(shownEntry(generationId)), value);
    };
    // Covers changes between the rendering and this subscription.
    if (hasChanged()) render();
    return streamingStore.store.subscribe(() => {
      if (!hasChanged()) return;
      rememberSelection();
      flushSync(render);
    });
  }, [generationId]);
  return value;
}

function shownEntry(generationId: string | null): StreamingEntry | undefined {
  return generationId === null ? undefined : streamingStore.store.getState().entries[generationId];
}

/** The generation that writes the message; null once the message is final. */
export const runningGeneration = ({ status, generationId }: Pick<Message, 'status' | 'generationId'>): string | null =>
  isOpen(status) ? generationId : null;
