import { type FileKind, fileKind, type StoredFile } from './files.js';
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

const PARTS: readonly string[] = ['text', 'attachments', 'imageData', 'audioData', 'fileUrl', 'imageUrl'];

/** Parses text that has the shape of a message object. @returns null for every other text */
export function messageObject(text: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    return toMessageObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A parsed object that has the shape of a message. @returns null for every other one */
export function toMessageObject(parsed: unknown): Record<string, unknown> | null {
  const fields = parsed as Record<string, unknown>;
  const isMessage = fields.type === 'image_generation' || PARTS.some((part) => Object.hasOwn(fields, part));
  return isMessage ? fields : null;
}

/** A file of a message. Images and audio of messages without `attachments` have no name, type and size. */
export interface ContentFile
  extends Pick<StoredFile, 'url' | 'pages' | 'pictures'>, Partial<Pick<StoredFile, 'name' | 'type' | 'size'>> {
  kind: FileKind;
}

/** The user's files of a stored message in their order, from `attachments` or from the older fields. */
export function filesOfContent(content: MessageContent): ContentFile[] {
  const { attachments, imageData, audioData, fileUrl, fileName, fileType, fileSize } = content;
  if (attachments !== undefined) {
    return attachments.map(({ fileId, ...file }) => ({ kind: fileKind(file.type), ...file }));
  }
  return [
    ...(fileUrl ? [{ kind: 'document' as const, url: fileUrl, name: fileName, type: fileType, size: fileSize }] : []),
    ...(imageData ? [{ kind: 'image' as const, url: imageData }] : []),
    ...(audioData ? [{ kind: 'audio' as const, url: audioData }] : []),
  ];
}
