import type { MessageContent, OutgoingMessage } from '@tanya/contract';
import { LIMITS, messageObject, parseContent, TEXTS } from '@tanya/contract';

const HAS_CODE = /```/;

/**
 * What is stored and goes over the wire, for `parseContent` to read: plain text, or JSON when there is more than text.
 * A text that would pass for a message becomes JSON as well, so that nobody's words can pose as a picture or a file.
 */
export function toStoredContent(content: MessageContent): string {
  const { text, imageData, audioData, fileUrl, fileName, fileType, fileSize, imageUrl, type } = content;
  if (!imageData && !audioData && !fileUrl && !imageUrl && messageObject(text) === null) return text;
  return JSON.stringify({
    text,
    ...(imageData ? { imageData } : {}),
    ...(audioData ? { audioData } : {}),
    ...(fileUrl
      ? { fileUrl, fileName: fileName ?? TEXTS.defaults.fileName, fileType: fileType ?? TEXTS.defaults.fileType }
      : {}),
    ...(fileUrl && fileSize !== undefined ? { fileSize } : {}),
    ...(imageUrl ? { imageUrl } : {}),
    ...(type ? { type } : {}),
    ...(HAS_CODE.test(text) ? { hasCode: true } : {}),
  });
}

/** The words that a search should find and a title is made of. */
export const searchText = (stored: string): string => {
  const { text, fileName } = parseContent(stored);
  return [text, fileName].filter(Boolean).join('\n');
};

/** The first title of a thread: the beginning of its first message, cut between code points. */
export function automaticTitle(content: OutgoingMessage): string {
  const line = content.text.replace(/\s+/g, ' ').trim() || content.fileName || 'Image';
  const points = Array.from(line);
  return points.length <= LIMITS.automaticTitle
    ? line
    : `${points
        .slice(0, LIMITS.automaticTitle - 1)
        .join('')
        .trimEnd()}…`;
}
