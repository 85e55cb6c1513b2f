import { LIMITS, TEXTS } from '@tanya/contract';

const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are UUIDs in lower case, as `randomUUID` writes them; anything else names no file. */
export const isFileId = (text: string): boolean => FILE_ID.test(text);

export const fileUrl = (id: string): string => `/api/files/${id}`;

/** The id in `/api/files/{id}`, or of a bare id; null for anything else. */
export function fileIdOf(urlOrId: string): string | null {
  const id = (urlOrId.startsWith('/api/files/') ? urlOrId.slice('/api/files/'.length) : urlOrId).toLowerCase();
  return isFileId(id) ? id : null;
}

/** Control characters, breaks of lines, and those that turn the direction of writing to disguise an extension. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu;

/** What is shown and offered as a download's name: the last part of a path, one line, well-formed, bounded. */
export function cleanFileName(given: string): string {
  const name = given
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(/^.*[\\/]/s, '')
    .replace(/[. ]+$/, '')
    .trim();
  if (name === '') return TEXTS.defaults.fileName;
  if (name.length <= LIMITS.fileName.max) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, LIMITS.fileName.max - extension.length).toWellFormed()}${extension}`;
}

/** In lower case without the dot; '' when there is none. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const ATTRIBUTE_UNSAFE = /['()*]/g;

/** The Content-Disposition of a file: a plain name for old readers, and the whole one as RFC 8187 writes it. */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    ATTRIBUTE_UNSAFE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
