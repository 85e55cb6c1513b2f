import type { MessageContent } from './threads.js';

/** How the JSON form of a stored message begins; other objects, older ones of a model among them, are texts. */
const JSON_CONTENT_START = '{"text":';

/** What a stored message holds: plain text, or the JSON form when there is more or when the text is a message object itself. */
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
