import type { ErrorParams } from './errors.js';

export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export const DOCUMENT_EXTENSIONS: readonly string[] = [
  'pdf',
  'doc',
  'docx',
  'txt',
  'md',
  'csv',
  'xls',
  'xlsx',
  'ppt',
  'pptx',
  'zip',
  'rar',
];

export const FILE_NOTICE_CODES = [
  'text_cut',
  'names_only',
  'document_protected',
  'no_text',
  'no_text_scan',
  'archive_empty',
  'text_unreadable',
  'reader_busy',
  'type_unknown',
] as const;

/** A remark about the text of a document. For an unknown code a page shows `notice` instead. */
export interface FileNotice {
  code: (typeof FILE_NOTICE_CODES)[number];
  params?: ErrorParams;
}

export interface StoredFile {
  /** UUID. */
  id: string;
  /** `/api/files/{id}` */
  url: string;
  name: string;
  type: string;
  /** Size in bytes. */
  size: number;
  /** Set when the text of a document is incomplete or missing. */
  notice?: string;
  /** `notice` by its code; only in the answer of an upload. */
  notices?: FileNotice[];
}

/** Files of one message. A constant of its own, so that the page starts without the other limits. */
export const ATTACHMENTS_MAX = 10;

/** A file of a send. */
export interface AttachmentRef {
  /** The id that `POST /api/files` returned. */
  fileId: string;
}

/** A file of a stored message, with the name, type and size that the server determined. */
export interface MessageAttachment extends AttachmentRef {
  /** `/api/files/{fileId}` */
  url: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
}

/** How a file is shown and given to models. */
export type FileKind = 'image' | 'audio' | 'document';

/** @param type media type */
export function fileKind(type: string): FileKind {
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('audio/') ? 'audio' : 'document';
}
