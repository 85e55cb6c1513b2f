import { LIMITS, TEXTS, trimEndOf } from '@tanya/contract';

const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** File ids are lower-case UUIDs, as `randomUUID` writes them. */
export const isFileId = (text: string): boolean => FILE_ID.test(text);

export const fileUrl = (id: string): string => `/api/files/${id}`;

/** The file id of `/api/files/{id}` or of a bare id; null for any other string. */
export function fileIdOf(urlOrId: string): string | null {
  const id = (urlOrId.startsWith('/api/files/') ? urlOrId.slice('/api/files/'.length) : urlOrId).toLowerCase();
  return isFileId(id) ? id : null;
}

/** Control characters, line separators, and bidirectional controls, which can disguise an extension. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu;

/** Characters that are read of a longer name, half of them from its end. */
const READ_CHARACTERS = 4 * LIMITS.fileName.max;

/** The last path segment. A very long one is cut in the middle, so that its extension stays. */
function lastSegment(given: string): string {
  const segment = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  if (segment.length <= READ_CHARACTERS) return segment;
  return segment.slice(0, READ_CHARACTERS / 2) + segment.slice(-READ_CHARACTERS / 2);
}

/**
 * Sanitises a file name: the last path segment, one line, well-formed Unicode, at most `LIMITS.fileName.max` long. An accent is
 * one character with its letter, which macOS takes apart.
 */
export function cleanFileName(given: string): string {
  const visible = lastSegment(given).toWellFormed().normalize('NFC').replace(INVISIBLE, '');
  const name = trimEndOf(visible, '. ').trim();
  if (name === '') return TEXTS.defaults.fileName;
  if (name.length <= LIMITS.fileName.max) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, LIMITS.fileName.max - extension.length).toWellFormed()}${extension}`;
}

/** The extension in lower case, without the dot; '' for a name without one. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const ATTRIBUTE_UNSAFE = /['()*]/g;

/**
 * Content-Disposition header with an ASCII `filename` for old clients and the full name as RFC 8187 `filename*`.
 * Own code: the package of Express escapes quotes and backslashes of ASCII names, which some clients do not support.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    ATTRIBUTE_UNSAFE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
