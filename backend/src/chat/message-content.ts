import type { MessageContent, OutgoingMessage } from '@tanya/contract';
import { LIMITS, TEXTS } from '@tanya/contract';

const HAS_CODE = /```/;

/** How the JSON form begins; a text that looks like it is stored as JSON itself, so that it can't pose as one. */
const JSON_FORM = '{"text":';

/** What is stored and goes over the wire: plain text, or JSON when there is more than text. */
export function toStoredContent(content: MessageContent): string {
  const { text, imageData, audioData, fileUrl, fileName, fileType, fileSize, imageUrl, type } = content;
  if (!imageData && !audioData && !fileUrl && !imageUrl && !text.startsWith(JSON_FORM)) return text;
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

/** Reads what `toStoredContent` wrote; anything else is plain text. */
export function fromStoredContent(stored: string): MessageContent {
  if (!stored.startsWith(JSON_FORM)) return { text: stored };
  try {
    return JSON.parse(stored) as MessageContent;
  } catch {
    return { text: stored };
  }
}

/** The words that a search should find and a title is made of. */
export const searchText = (stored: string): string => {
  const { text, fileName } = fromStoredContent(stored);
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
