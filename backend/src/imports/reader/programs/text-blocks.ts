/** Marks around a part of a text, such as `<antThinking>` and `</antThinking>`; the start ends with `>` behind attributes. */
export interface Tag {
  name: string;
  /** The text that is shown instead of a block. */
  toShown: (inner: string, attributes: string) => string;
}

/** Replaces the blocks of tags, in linear time. A block without an end is text, and so is all after it. */
export function replaceTags(text: string, tags: readonly Tag[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', start + 1)) {
    const tag = tags.find(
      ({ name }) => text.startsWith(name, start + 1) && /[\s>]/.test(text.charAt(start + 1 + name.length)),
    );
    if (tag === undefined) continue;
    const tagEnd = text.indexOf('>', start);
    const end = tagEnd === -1 ? -1 : text.indexOf(`</${tag.name}>`, tagEnd);
    if (end === -1) break;
    const attributes = text.slice(start + 1 + tag.name.length, tagEnd);
    pieces.push(text.slice(from, start), tag.toShown(text.slice(tagEnd + 1, end), attributes));
    from = end + tag.name.length + 3;
    start = from - 1;
  }
  return pieces.join('') + text.slice(from);
}

/** The value of an attribute such as `language="python"`; '' without it. */
export const attributeOf = (attributes: string, name: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';

/** Texts as paragraphs. */
export const joined = (texts: string[]): string => texts.filter(Boolean).join('\n\n');

/** A block of code, behind a fence that its own fences do not close. */
export function fenced(language: string, code: string): string {
  if (code === '') return '';
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+-]+$/.test(language) && language !== 'unknown' ? language : ''}\n${code}\n${fence}`;
}
