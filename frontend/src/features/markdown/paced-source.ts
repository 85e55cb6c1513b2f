import { useEffect, useRef, useState } from 'react';

/** Lines of a table, and characters of any block, that render within a frame on slow devices. */
const MAX_LINES = 42;
const MAX_CHARACTERS = 1_500;
/** The second line of a table, such as `| --- | :-: |`. */
const DELIMITER_ROW = /^[ \t|:-]+$/;
const INTERVAL_MS = 300;

/** Whether a growing block takes too long to render at every frame: each render takes all of its text anew. */
export const isLong = (source: string): boolean => source.length > MAX_CHARACTERS || isLongTable(source);

function isLongTable(source: string): boolean {
  const lines = source.split('\n', MAX_LINES + 1);
  const [head = '', delimiter = ''] = lines;
  const isTable = head.includes('|') && delimiter.includes('|') && DELIMITER_ROW.test(delimiter);
  return isTable && lines.length > MAX_LINES;
}

/** The source of a growing block; if `isPaced` it changes at intervals instead of at every frame. */
export function usePacedSource(source: string, isPaced: boolean): string {
  const newest = useRef(source);
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    newest.current = source;
  });
  useEffect(() => {
    if (!isPaced) return;
    const timer = setInterval(() => setShown(newest.current), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isPaced]);
  return isPaced && shown !== null && source.startsWith(shown) ? shown : source;
}
