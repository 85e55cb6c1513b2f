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

const PARTS: readonly string[] = ['text', 'imageData', 'audioData', 'fileUrl', 'imageUrl'];

/** The object that a text is the JSON of, where that would pass for a message; every other text is just a text, and null here. */
export function messageObject(text: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    const isMessage = parsed.type === 'image_generation' || PARTS.some((part) => Object.hasOwn(parsed, part));
    return isMessage ? parsed : null;
  } catch {
    return null;
  }
}
