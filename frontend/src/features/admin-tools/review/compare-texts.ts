import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';

/** A piece of a text; `isChanged` where the other text differs. */
export interface Piece {
  text: string;
  isChanged: boolean;
}

export interface Comparison {
  before: Piece[];
  after: Piece[];
}

/** Edits after which two texts count as wholly different, so that hostile ones do not take long. */
const MAX_EDITS = 2_000;

export const compareWords = (before: string, after: string): Comparison =>
  toComparison(diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS }), before, after);

export const compareLines = (before: string, after: string): Comparison =>
  toComparison(diffLines(before, after, { maxEditLength: MAX_EDITS }), before, after);

function toComparison(changes: ChangeObject<string>[] | undefined, before: string, after: string): Comparison {
  if (!changes) return { before: [{ text: before, isChanged: true }], after: [{ text: after, isChanged: true }] };
  const piece = ({ value, added, removed }: ChangeObject<string>): Piece => ({
    text: value,
    isChanged: added || removed,
  });
  return {
    before: changes.filter(({ added }) => !added).map(piece),
    after: changes.filter(({ removed }) => !removed).map(piece),
  };
}

/**
 * Control and format characters, such as those that reverse text, and what no font draws: tags, fillers, and variation
 * selectors but for one behind an emoji or in a keycap. A description could hide instructions for the model in them.
 */
const INVISIBLE =
  /[\p{C}\p{Zl}\p{Zp}]|(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3))\p{Default_Ignorable_Code_Point}/gu;

/** A text with each invisible character replaced by its code point, such as `[U+202E]`. Line breaks and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
