import { type Message, parseContent } from '@tanya/contract';

/** Characters of context before and after a match. */
const BEFORE = 32;
const AFTER = 96;

export interface Match {
  messageId: number;
  isUserMessage: boolean;
  /** The first match with its context; each run of white space is one space. */
  excerpt: { before: string; found: string; after: string };
}

/** The messages that contain the words, oldest first, each with its first match. */
export function findMatches(messages: readonly Message[], words: string): Match[] {
  const wanted = words.trim().replace(/\s+/g, ' ');
  if (!wanted) return [];
  const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu');
  return messages.flatMap((message) => {
    const { text, fileName } = parseContent(message.content);
    const all = [text, fileName].filter(Boolean).join(' ').replace(/\s+/g, ' ');
    const at = pattern.exec(all);
    if (!at) return [];
    const end = at.index + at[0].length;
    const before = all.slice(Math.max(0, at.index - BEFORE), at.index);
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
