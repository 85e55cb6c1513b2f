import { type MessageContent, type OutgoingMessage, UNNAMED_FILE } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import type { UploadedFile } from '../../../app/state/composer-store';

const FENCE = '```';

/** The text and files of a message in the composer. */
export interface ComposedMessage {
  text: string;
  image?: { url: string };
  audio?: { url: string };
  document?: { url: string; name: string; type: string; size: number | null };
}

/** The wire format of a composed message. */
export function toOutgoing({ text, image, audio, document }: ComposedMessage): OutgoingMessage {
  return {
    text,
    ...(image && { imageData: image.url }),
    ...(audio && { audioData: audio.url }),
    ...(document && {
      fileUrl: document.url,
      fileName: document.name || UNNAMED_FILE.fileName,
      fileType: document.type || UNNAMED_FILE.fileType,
      ...(document.size !== null && { fileSize: document.size }),
    }),
    hasCode: text.includes(FENCE),
  };
}

/** A message with another text and the same files, for editing. */
export function withText(content: MessageContent, text: string): OutgoingMessage {
  const { imageData, audioData, fileUrl, fileName, fileType, fileSize } = content;
  return {
    text,
    ...(imageData && { imageData }),
    ...(audioData && { audioData }),
    ...(fileUrl && {
      fileUrl,
      fileName: fileName ?? UNNAMED_FILE.fileName,
      fileType: fileType ?? UNNAMED_FILE.fileType,
      ...(fileSize !== undefined && { fileSize }),
    }),
    hasCode: text.includes(FENCE),
  };
}

/** The files of an unsent message, to attach them again. */
export function filesOf({
  imageData,
  audioData,
  fileUrl,
  fileName,
  fileType,
  fileSize,
}: OutgoingMessage): UploadedFile[] {
  const files: UploadedFile[] = [];
  if (imageData) files.push({ kind: 'image', url: imageData, name: t('file.image'), type: 'image/*', size: null });
  if (audioData) files.push({ kind: 'audio', url: audioData, name: t('file.audio'), type: 'audio/*', size: null });
  const { fileName: unnamed, fileType: untyped } = UNNAMED_FILE;
  if (fileUrl) {
    const [name, type] = [fileName ?? unnamed, fileType ?? untyped];
    files.push({ kind: 'document', url: fileUrl, name, type, size: fileSize ?? null });
  }
  return files;
}

export function isEmpty({ text, image, audio, document }: ComposedMessage): boolean {
  return text.trim() === '' && !image && !audio && !document;
}
