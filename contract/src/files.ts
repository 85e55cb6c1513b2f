import type { ErrorParams } from './errors.js';

export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Names of files that are read, beside those whose type is text. */
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
  'odt',
  'ods',
  'odp',
  'rtf',
  'epub',
  'eml',
  'msg',
  'zip',
  'rar',
  'docm',
  'xlsm',
  'xlsb',
  'pptm',
  'ppsx',
  'hwp',
  'hwpx',
  'ipynb',
  'json',
  'yaml',
  'log',
  'srt',
  'tsv',
  'mht',
  'mbox',
  'p7m',
  'dat',
  'gz',
  'tar',
];

export type SectionKind = 'page' | 'slide' | 'sheet' | 'part';

/** The remarks about the text of a document: code and English sentence, in ICU MessageFormat. */
export const FILE_NOTICES = {
  text_cut: 'Only the first {max, number} characters of this document are read.',
  beginning_only: 'Only the beginning of this document is read.',
  names_only: 'Only the names of the files in this archive are read.',
  document_protected: 'This document is protected by a password and could not be read.',
  no_text: 'No text was found in this document.',
  no_text_scan: 'No text was found in this document. Is it a scan?',
  archive_empty: 'This archive is empty.',
  text_unreadable: 'The text of this document could not be read.',
  reader_busy: 'This document could not be read because too many others are being read. Please upload it again.',
  type_unknown: 'The model cannot read this type of file: {kind}.',
  text_damaged: 'This document is damaged. Only the text before the damage is read.',
  encoding_guessed: 'The encoding of this text was guessed: {encoding}.',
  named_otherwise: 'By its content, this file is not what its name says. It was read as: {kind}.',
  pages_as_pictures:
    '{count, plural, one {# page without text is sent as a picture} other {# pages without text are sent as pictures}} to models that read images.',
  embedded_unread:
    '{count, plural, one {# document inside of this one is} other {# documents inside of this one are}} not read, or only in part.',
  pages_too_complex:
    '{count, plural, one {The last page is} other {The last # pages are}} not read: a page is too complex.',
  project_full:
    'The texts of this project fill the {max, number} characters that it may keep. Please delete a file first.',
  embedding_failed:
    'A search finds this file by its words alone, because the embedding model gave no answer. It is tried again.',
  embedding_length:
    'A search finds this file by its words alone, because the embedding model sent unusable vectors. It is tried again.',
  embedding_budget:
    'A search finds this file by its words alone, because embedding it does not fit into the budget. It is tried again.',
  pages_unread: '{count, plural, one {# page without text is} other {# pages without text are}} not read.',
} as const;

/** A remark about the text of a document. For an unknown code a page shows `notice` instead. */
export interface FileNotice {
  code: keyof typeof FILE_NOTICES;
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
  /** `notice` by its codes; only in the answer of an upload. */
  notices?: FileNotice[];
  /** Pages of a PDF; not for one that could not be read. */
  pages?: number;
  /** Pages without text that go to models as pictures; absent without any. */
  pictures?: number;
}

/** Files of one message. A constant of its own, so that the page starts without the other limits. */
export const ATTACHMENTS_MAX = 10;

/** A file of a send. */
export interface AttachmentRef {
  /** The id that `POST /api/files` returned. */
  fileId: string;
}

/** A file of a stored message, with the name, type and size that the server determined. */
export type MessageAttachment = AttachmentRef & Omit<StoredFile, 'id' | 'notice' | 'notices'>;

/** How a file is shown and given to models. */
export type FileKind = 'image' | 'audio' | 'document';

/** @param type media type */
export function fileKind(type: string): FileKind {
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('audio/') ? 'audio' : 'document';
}
