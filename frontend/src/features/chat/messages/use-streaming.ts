import { useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { StreamingEntry } from '../client/generation-reducer';
import { streamingStore } from '../client/streaming-store';

/**
 * A part of the answer that a generation is writing, as of the last frame. Not by useSyncExternalStore: React lets a task of
 * its own follow each of those updates, which is a tenth of what a token costs the page.
 */
export function useStreaming<T>(generationId: string | null, select: (entry: StreamingEntry | undefined) => T): T {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const value = select(shownEntry(generationId));
  const latest = useRef({ select, value });
  useLayoutEffect(() => {
    latest.current = { select, value };
  });
  useLayoutEffect(() => {
    const hasChanged = () => {
      const { select, value } = latest.current;
      return !Object.is(select(shownEntry(generationId)), value);
    };
    // Since the rendering and until this moment nobody was listening.
    if (hasChanged()) render();
    return streamingStore.store.subscribe(() => {
      if (hasChanged()) flushSync(render);
    });
  }, [generationId]);
  return value;
}

function shownEntry(generationId: string | null): StreamingEntry | undefined {
  return generationId === null ? undefined : streamingStore.store.getState().entries[generationId];
}
