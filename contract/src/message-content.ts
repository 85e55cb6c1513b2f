import type { MessageContent } from './threads.js';

/** How a message's JSON form begins; a text that begins like it is stored as JSON itself, so that it can't pose as one. */
export const JSON_CONTENT_START = '{"text":';

/** What a stored message holds: plain text, or the JSON form when there is more. */
export function parseContent(stored: string): MessageContent {
  if (!stored.startsWith(JSON_CONTENT_START)) return { text: stored };
  try {
    return JSON.parse(stored) as MessageContent;
  } catch {
    return { text: stored };
  }
}
