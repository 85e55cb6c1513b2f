/** A range of characters. */
export interface Place {
  start: number;
  end: number;
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

/**
 * Finds a passage in the text of its section. White space is passed over: a passage may join several pieces of the text. One
 * from the middle of a table begins with the table's header, which stands elsewhere.
 * @param beginning of the passage
 * @param length of the passage, in characters that are no white space
 * @returns null for a text that does not contain it
 */
export function passagePlace(text: string, beginning: string, length: number): Place | null {
  const [header = '', ...rows] = beginning.split('\n');
  return (
    placeOf(text, withoutBlanks(beginning), length) ??
    placeOf(text, withoutBlanks(rows.join('\n')), length - withoutBlanks(header).length)
  );
}

function placeOf(text: string, wanted: string, length: number): Place | null {
  const first = wanted === '' ? -1 : withoutBlanks(text).indexOf(wanted);
  if (first < 0) return null;
  const places = [...text.matchAll(/\S/g)];
  const last = Math.min(first + Math.max(length, wanted.length), places.length) - 1;
  return { start: places[first]!.index, end: places[last]!.index + 1 };
}
