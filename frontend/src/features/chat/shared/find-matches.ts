import { filesOfContent, type Message, parseContent } from '@tanya/contract';
import { plainText } from '../../markdown/plain-text';
import { searchPattern } from './search-pattern';

/** Characters of context before and after a match. */
const BEFORE = 32;
const AFTER = 96;

export interface Match {
  messageId: number;
  isUserMessage: boolean;
  /** The first match with its context; each run of white space is one space. */
  excerpt: { before: string; found: string; after: string };
}

/** The messages that contain the words as they are shown, oldest first, each with its first match. */
export function findMatches(messages: readonly Message[], words: string): Match[] {
  const pattern = searchPattern(words);
  if (!pattern) return [];
  return messages.flatMap((message) => {
    const all = searchableText(message);
    const at = pattern.exec(all);
    if (!at) return [];
    const end = at.index + at[0].length;
    const before = fromWordStart(all, Math.max(0, at.index - BEFORE), at.index);
    const after = all.slice(end, end + AFTER);
    return [
      {
        messageId: message.id,
        isUserMessage: message.isUserMessage,
        excerpt: {
          before: at.index > BEFORE ? `…${before}` : before,
          found: at[0],
          after: end + AFTER < all.length ? `${after}…` : after,
        },
      },
    ];
  });
}

/** How often a pattern matches the shown text of a message. */
export const countMatches = (message: Message, pattern: RegExp): number =>
  [...searchableText(message).matchAll(new RegExp(pattern, 'giu'))].length;

/** A longer run of letters is a script without spaces, which is cut anywhere. */
const LONGEST_WORD = 24;

/** A part of a text without the rest of a word at its beginning. */
function fromWordStart(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  const rest = start === 0 || text[start - 1] === ' ' ? 0 : part.indexOf(' ') + 1;
  return rest > LONGEST_WORD ? part : part.slice(rest);
}

/** Texts by message, because a search runs at each key and reading Markdown takes time. */
const texts = new WeakMap<Message, string>();

/** The text of a message without the marks of Markdown; the user's own text is shown, and searched, as typed. */
function searchableText(message: Message): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const content = parseContent(message.content);
  const shown = message.isUserMessage ? content.text : plainText(content.text);
  const names = filesOfContent(content).map(({ name }) => name);
  const all = [shown, ...names].filter(Boolean).join(' ').replace(/\s+/g, ' ');
  texts.set(message, all);
  return all;
}
