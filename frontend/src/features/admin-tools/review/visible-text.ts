/**
 * Control and format characters, such as those that reverse text, tags that no font draws, and variation selectors beyond
 * those of emoji. A description could hide instructions for the model in them.
 */
const INVISIBLE = /\p{C}|\u2028|\u2029|[\u{E0100}-\u{E01EF}]/gu;

/** A text with each invisible character replaced by its code point, such as `[U+202E]`. Line breaks and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
