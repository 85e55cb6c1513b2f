import { UNNAMED_FILE } from '@tanya/contract';
import { v4 as uuid } from 'uuid';
import type { UploadedFile } from '../../../app/state/composer-store';
import type { DraftFile } from '../../../app/storage/drafts';

/** A file of the next message. */
export interface Attachment extends Pick<UploadedFile, 'pages' | 'pictures'> {
  id: string;
  kind: DraftFile['kind'];
  name: string;
  type: string;
  /** Bytes; null for a file that was uploaded earlier. */
  size: number | null;
  previewUrl: string | null;
  /** Upload progress from 0 to 1. */
  progress: number;
  /** The address of the stored file; null before the end of the upload. */
  url: string | null;
  /** Why the upload failed; null otherwise. */
  error: string | null;
  /** A notice about the file, such as an unusual type. */
  warning: string | null;
  /** The text of a long paste, as long as it fits the message field. */
  pasted?: string;
}

/** The list of attachments. A change is visible to `read` at once, before the next render. */
export interface AttachmentList {
  read: () => readonly Attachment[];
  change: (update: (list: readonly Attachment[]) => readonly Attachment[]) => void;
}

export function storedAttachment(file: DraftFile): Attachment {
  return { ...file, id: uuid(), previewUrl: file.kind === 'image' ? file.url : null, progress: 1, error: null };
}

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
    error: null,
    warning,
  };
}

/** The attachment in a draft; none before the end of its upload. */
export function toDraftFile({ kind, url, name, type, size, pages, pictures, warning }: Attachment): DraftFile[] {
  return url === null ? [] : [{ kind, url, name, type, size, pages, pictures, warning }];
}

export function storedFiles(list: readonly Attachment[]): UploadedFile[] {
  return list.flatMap(toDraftFile).map(({ warning: _, ...file }) => file);
}
