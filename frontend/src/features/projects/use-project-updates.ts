import { useEffect } from 'react';
import { queryClient } from '../../app/queries/query-client';
import { onConnected, onEvent } from '../../app/socket/socket';

/** Time between two reads, ms: many files change one after the other. */
const PAUSE_MS = 500;

/** Reads projects again when a member or the server changes one, with the settings, and after a lost connection. */
export function useProjectUpdates(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // The text of a file and its pages do not change.
        const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
          !queryKey.includes('sections') && !queryKey.includes('pages');
        void queryClient.invalidateQueries({ queryKey: ['projects'], predicate });
      }, PAUSE_MS);
    };
    const stops = [onEvent('project:changed', readSoon), onEvent('settings:changed', readSoon), onConnected(readSoon)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
}
