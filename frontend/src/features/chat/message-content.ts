import { type MessageContent, type OutgoingMessage, TEXTS } from '@tanya/contract';

const FENCE = '```';

/**
 * What a stored message holds. Content is plain text, or the JSON string of an object with `text` when there is more;
 * anything else that happens to be JSON is text that somebody wrote.
 */
export function parseContent(content: string): MessageContent {
  if (!content.startsWith('{')) return { text: content };
  try {
    const parsed: unknown = JSON.parse(content);
    return isMessageContent(parsed) ? parsed : { text: content };
  } catch {
    return { text: content };
  }
}

function isMessageContent(value: unknown): value is MessageContent {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') return false;
  return ['imageData', 'audioData', 'fileUrl', 'imageUrl'].some((key) => key in value);
}

/** The parts of a message that the composer has gathered. */
export interface ComposedMessage {
  text: string;
  image?: { url: string };
  audio?: { url: string };
  document?: { url: string; name: string; type: string; size: number | null };
}

/** What goes over the wire for it. */
export function toOutgoing({ text, image, audio, document }: ComposedMessage): OutgoingMessage {
  return {
    text,
    ...(image && { imageData: image.url }),
    ...(audio && { audioData: audio.url }),
    ...(document && {
      fileUrl: document.url,
      fileName: document.name || TEXTS.defaults.fileName,
      fileType: document.type || TEXTS.defaults.fileType,
      ...(document.size !== null && { fileSize: document.size }),
    }),
    hasCode: text.includes(FENCE),
  };
}

/** The same message with another text, for editing. */
export function withText(content: MessageContent, text: string): OutgoingMessage {
  const { imageData, audioData, fileUrl, fileName, fileType, fileSize } = content;
  return {
    text,
    ...(imageData && { imageData }),
    ...(audioData && { audioData }),
    ...(fileUrl && {
      fileUrl,
      fileName: fileName ?? TEXTS.defaults.fileName,
      fileType: fileType ?? TEXTS.defaults.fileType,
      ...(fileSize !== undefined && { fileSize }),
    }),
    hasCode: text.includes(FENCE),
  };
}

export function isEmpty({ text, image, audio, document }: ComposedMessage): boolean {
  return text.trim() === '' && !image && !audio && !document;
}
