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
