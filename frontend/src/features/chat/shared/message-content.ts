import { filesOfContent, type MessageContent, type OutgoingMessage, UNNAMED_FILE } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import type { UploadedFile } from '../../../app/state/composer-store';

const FENCE = '```';

export interface ComposedMessage {
  text: string;
  files: readonly UploadedFile[];
}

/** The wire format of a composed message. */
export function toOutgoing({ text, files }: ComposedMessage): OutgoingMessage {
  return {
    text,
    ...(files.length > 0 && { attachments: files.map(({ url }) => ({ fileId: fileIdOf(url) })) }),
    hasCode: text.includes(FENCE),
  };
}

/** A composed message as it will be stored, to show it before its ack. */
export function toContent({ text, files }: ComposedMessage): MessageContent {
  const attachments = files.map(({ kind: _, size, ...file }) => ({
    ...file,
    fileId: fileIdOf(file.url),
    size: size ?? 0,
  }));
  return { text, attachments, hasCode: text.includes(FENCE) };
}

/** The files of a message, to send them with another text or to attach them again. */
export function filesOf(content: MessageContent): UploadedFile[] {
  return filesOfContent(content).map(({ kind, name, type, size, ...file }) => ({
    ...file,
    kind,
    name: name ?? (kind === 'document' ? UNNAMED_FILE.fileName : t(`file.${kind}`)),
    type: type ?? (kind === 'document' ? UNNAMED_FILE.fileType : `${kind}/*`),
    size: size ?? null,
  }));
}

export function isEmpty({ text, files }: ComposedMessage): boolean {
  return text.trim() === '' && files.length === 0;
}

/** The id in `/api/files/{id}`. */
function fileIdOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
