import { useEffect } from 'react';
import { queryClient } from '../../app/queries/query-client';
import { onConnected, onEvent } from '../../app/socket/socket';

/** Time before a read, ms: many files change one after the other, and a person may search only so often. */
const PAUSE_MS = 1_000;
/** The pause is this many times as long as the read before, so that the page stays free for its reader. */
const SHARE = 4;
/** How long the next read waits for one that has not ended, ms. */
const READ_MAX_MS = 10_000;

/**
 * Reads projects again when a member or the server changes one, with the settings, and after a lost connection. A read that
 * takes longer than the time between two changes, such as a search, ends before the next one begins.
 */
export function useProjectUpdates(): void {
  useEffect(() => {
    const page = { isLeft: false };
    let isChanged = false;
    let pause = PAUSE_MS;
    /** Set also while a read is under way. */
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      isChanged = true;
      timer ??= setTimeout(() => void read(), pause);
    };
    const read = async () => {
      isChanged = false;
      const start = performance.now();
      await Promise.race([readAgain(), new Promise((resolve) => setTimeout(resolve, READ_MAX_MS))]);
      pause = Math.min(Math.max(PAUSE_MS, (performance.now() - start) * SHARE), READ_MAX_MS);
      timer = undefined;
      if (isChanged && !page.isLeft) readSoon();
    };
    const stops = [onEvent('project:changed', readSoon), onEvent('settings:changed', readSoon), onConnected(readSoon)];
    return () => {
      page.isLeft = true;
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
}

/** Reads what is shown of projects, except the text of a file and its pages, which do not change. */
const readAgain = (): Promise<void> =>
  queryClient.invalidateQueries({
    queryKey: ['projects'],
    predicate: ({ queryKey }) => !queryKey.includes('sections') && !queryKey.includes('pages'),
  });
