import { UNNAMED_FILE } from '@tanya/contract';
import { v4 as uuid } from 'uuid';
import type { DraftFile } from '../../../app/storage/drafts';
import type { ComposedMessage } from '../shared/message-content';

/** A file of the next message. */
export interface Attachment {
  id: string;
  kind: DraftFile['kind'];
  name: string;
  type: string;
  /** Bytes; null for a file that was uploaded earlier. */
  size: number | null;
  /** The image in the chip. */
  previewUrl: string | null;
  /** Upload progress from 0 to 1. */
  progress: number;
  /** The address of the stored file; null during the upload. */
  url: string | null;
  /** A notice about the file, such as an unusual type. */
  warning: string | null;
}

/** An attachment for a file that is already on the server. */
export function storedAttachment(file: DraftFile): Attachment {
  return { ...file, id: uuid(), previewUrl: file.kind === 'image' ? file.url : null, progress: 1 };
}

/** An attachment for a file that is about to be uploaded. */
export function newAttachment(file: File, kind: Attachment['kind'], warning: string | null): Attachment {
  return {
    id: uuid(),
    kind,
    name: file.name || UNNAMED_FILE.fileName,
    type: file.type || UNNAMED_FILE.fileType,
    size: file.size,
    previewUrl: kind === 'image' ? URL.createObjectURL(file) : null,
    progress: 0,
    url: null,
    warning,
  };
}

/** The stored files of a list, as fields of the message. */
export function composedFiles(list: readonly Attachment[]): Omit<ComposedMessage, 'text'> {
  const files: Omit<ComposedMessage, 'text'> = {};
  for (const { kind, url, name, type, size } of list) {
    if (url === null) continue;
    if (kind === 'document') files.document = { url, name, type, size };
    else files[kind] = { url };
  }
  return files;
}
