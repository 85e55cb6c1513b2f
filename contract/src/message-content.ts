import type { MessageContent } from './messages.js';

/** Characters of a message's text. A constant of its own, so that the page starts without the other limits. */
export const MESSAGE_TEXT_MAX = 32_000;

/** First characters of the JSON form of a stored message. Text that begins otherwise is plain text, JSON objects included. */
const JSON_CONTENT_START = '{"text":';

/**
 * Parses stored content: plain text, or the JSON form when the message has more than text or when its text could be
 * mistaken for the JSON form.
 */
export function parseContent(stored: string): MessageContent {
  if (!stored.startsWith(JSON_CONTENT_START)) return { text: stored };
  try {
    return JSON.parse(stored) as MessageContent;
  } catch {
    return { text: stored };
  }
}

const PARTS: readonly string[] = ['text', 'imageData', 'audioData', 'fileUrl', 'imageUrl'];

/** Parses text that has the shape of a message object. @returns null for every other text */
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
