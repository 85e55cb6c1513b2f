import type { MessageContent } from '@tanya/contract';
import { filesOfContent, LIMITS, type MessagePart, messageObject, parseContent, TEXTS } from '@tanya/contract';

const HAS_CODE = /```/;

/**
 * Serializes a message for storage and for the wire; `parseContent` is the inverse. The result is plain text, or JSON when
 * the message has more than text. Text that has the shape of a message object becomes JSON too, so that a user's or a
 * model's text cannot forge an image or a file.
 */
export function toStoredContent(content: MessageContent): string {
  const { text, attachments, imageData, audioData, fileUrl, fileName, fileType, fileSize, imageUrl, type } = content;
  const hasMore = Boolean(attachments?.length) || [imageData, audioData, fileUrl, imageUrl].some(Boolean);
  if (!hasMore && messageObject(text) === null) return text;
  return JSON.stringify({
    text,
    ...(imageData ? { imageData } : {}),
    ...(audioData ? { audioData } : {}),
    ...(fileUrl
      ? { fileUrl, fileName: fileName ?? TEXTS.defaults.fileName, fileType: fileType ?? TEXTS.defaults.fileType }
      : {}),
    ...(fileUrl && fileSize !== undefined ? { fileSize } : {}),
    ...(attachments?.length ? { attachments } : {}),
    ...(imageUrl ? { imageUrl } : {}),
    ...(type ? { type } : {}),
    ...(HAS_CODE.test(text) ? { hasCode: true } : {}),
  });
}

/**
 * The text of a stored message for the search index and for titles, with the names of its files. The answer's own text
 * stands before that of its parts.
 */
export const searchText = (stored: string, parts: readonly MessagePart[] = []): string => {
  const content = parseContent(stored);
  const names = filesOfContent(content).map(({ name }) => name);
  return [content.text, ...names, ...parts.flatMap(searchableIn)].filter(Boolean).join('\n');
};

function searchableIn(part: MessagePart): (string | undefined)[] {
  switch (part.type) {
    case 'tool':
      return [part.title, part.result];
    case 'source':
      return [part.title, part.url, part.snippet];
    case 'image':
      return [part.alt];
    default:
      return [];
  }
}

const graphemes = new Intl.Segmenter();

function titleOfFiles(content: MessageContent): string {
  const other = filesOfContent(content).find(({ kind }) => kind !== 'image');
  return other === undefined ? 'Image' : other.name || TEXTS.defaults.fileName;
}

/** The initial title of a thread: the first characters of its first message, cut between graphemes. */
export function automaticTitle(content: MessageContent): string {
  const line = content.text.replace(/\s+/g, ' ').trim() || titleOfFiles(content);
  const points = Array.from(line);
  if (points.length <= LIMITS.automaticTitle) return line;
  const start = points.slice(0, LIMITS.automaticTitle).join('');
  // Whether a grapheme ends here depends on the next code point.
  const next = graphemes.segment(start + points[LIMITS.automaticTitle]!).containing(start.length);
  // A grapheme longer than the title is cut between code points.
  return start.slice(0, next?.index || start.length).trimEnd();
}
