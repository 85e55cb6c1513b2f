import { useState } from 'react';

interface Row {
  id: number;
  text: string;
}

let lastId = 0;
const newRow = (text: string): Row => ({ id: ++lastId, text });

/**
 * Rows of an edited list of texts, with ids that stay with their text. Without them a moved row would leave the focus at
 * its old place. A list that changes from outside, as after a save, gets new rows.
 */
export function useRows(texts: string[], onChange: (texts: string[]) => void) {
  const [kept, setRows] = useState<Row[]>([]);
  const isSame = kept.length === texts.length && kept.every(({ text }, index) => text === texts[index]);
  const rows = isSame ? kept : texts.map(newRow);
  if (!isSame) setRows(rows);

  const change = (next: Row[]) => {
    setRows(next);
    onChange(next.map(({ text }) => text));
  };
  return {
    rows,
    edit: (index: number, text: string) => change(rows.with(index, { ...rows[index]!, text })),
    insert: (index: number, added: readonly string[]) => change(rows.toSpliced(index, 0, ...added.map(newRow))),
    remove: (index: number) => change(rows.toSpliced(index, 1)),
    /** Moves a row up (-1) or down (1). */
    move: (index: number, by: -1 | 1) => change(rows.toSpliced(index, 1).toSpliced(index + by, 0, rows[index]!)),
    clear: () => change([]),
  };
}
