/** A range of characters. */
export interface Place {
  start: number;
  end: number;
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

/**
 * Finds a passage in the text of its section. White space is passed over: a passage may join several pieces of the text. One
 * from the middle of a table begins with the table's header, which stands elsewhere.
 * @param quote of the passage; one that was cut ends with an ellipsis
 * @returns null for a text that does not contain it
 */
export function passagePlace(text: string, quote: string): Place | null {
  const whole = quote.replace(/…$/, '');
  const [, ...rows] = whole.split('\n');
  return placeOf(text, withoutBlanks(whole)) ?? placeOf(text, withoutBlanks(rows.join('\n')));
}

function placeOf(text: string, wanted: string): Place | null {
  const first = wanted === '' ? -1 : withoutBlanks(text).indexOf(wanted);
  if (first < 0) return null;
  const places = [...text.matchAll(/\S/g)];
  return { start: places[first]!.index, end: places[first + wanted.length - 1]!.index + 1 };
}
