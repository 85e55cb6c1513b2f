import { type Message, parseContent } from '@tanya/contract';

/** How much of the text around a match is shown. */
const BEFORE = 32;
const AFTER = 96;

export interface Match {
  messageId: number;
  isUserMessage: boolean;
  /** The place of the first match, in three pieces; white space is one blank. */
  excerpt: { before: string; found: string; after: string };
}

/** The messages that hold these words, oldest first, each with the first place in it. */
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
