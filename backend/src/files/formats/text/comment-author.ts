/** Characters of the name of an author. */
const MAX_AUTHOR = 100;

/** What Excel has as the author of a note that stands for a thread. */
const STAND_IN = /^tc=\{/;

const AFTER_AUTHOR = /^[^\S\n]*(?:[:：\n]|$)/;

/** A comment behind its author, whom Excel writes into the text too. */
export function withAuthor(given: string | undefined, text: string): string {
  const author = (given ?? '').slice(0, MAX_AUTHOR).trim();
  if (author === '' || STAND_IN.test(author)) return text;
  const written = text.trimStart();
  return written.startsWith(author) && AFTER_AUTHOR.test(written.slice(author.length)) ? text : `${author}: ${text}`;
}
