import { AppError } from '../../platform/errors/app-error.js';

export type FileFamily = 'image' | 'audio' | 'text' | 'document' | 'opaque';

/** Formats with a text extractor. */
export type DocumentFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'doc' | 'xls' | 'ppt' | 'zip' | 'rar';

export interface FileKind {
  family: FileFamily;
  /** Media type of the stored file and of downloads. */
  type: string;
  extensions: readonly string[];
  /** Other media types that browsers declare for it. */
  aliases: readonly string[];
  format?: DocumentFormat;
}

/** Evidence of a file's kind: its content and the client's claims. */
export interface FileEvidence {
  /** Media type by signature; null when no signature matches. */
  detected: string | null;
  /** Whether the whole content is text. */
  isText: boolean;
  extension: string;
  /** Content-Type of the upload; '' when missing. */
  declared: string;
}

const kind = (family: FileFamily, type: string, extensions: string, aliases = ''): FileKind => ({
  family,
  type,
  extensions: extensions.split(' '),
  aliases: aliases.split(' ').filter(Boolean),
});

const document = (format: DocumentFormat, type: string, aliases = ''): FileKind => ({
  ...kind('document', type, format, aliases),
  format,
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const KINDS: readonly FileKind[] = [
  kind('image', 'image/png', 'png', 'image/apng image/x-png'),
  kind('image', 'image/jpeg', 'jpg jpeg jpe jfif', 'image/jpg image/pjpeg'),
  kind('image', 'image/gif', 'gif'),
  kind('image', 'image/webp', 'webp'),
  kind('audio', 'audio/mpeg', 'mp3', 'audio/mp3'),
  kind('audio', 'audio/wav', 'wav', 'audio/vnd.wave audio/x-wav audio/wave'),
  kind('audio', 'audio/ogg', 'ogg oga opus', 'application/ogg audio/opus video/ogg'),
  kind('audio', 'audio/flac', 'flac', 'audio/x-flac'),
  kind('audio', 'audio/mp4', 'm4a', 'audio/x-m4a video/mp4'),
  kind('audio', 'audio/aac', 'aac'),
  kind('audio', 'audio/webm', 'weba webm', 'video/webm'),
  document('pdf', 'application/pdf', 'application/x-pdf'),
  document('docx', `${OFFICE}.wordprocessingml.document`, 'application/zip'),
  document('xlsx', `${OFFICE}.spreadsheetml.sheet`, 'application/zip'),
  document('pptx', `${OFFICE}.presentationml.presentation`, 'application/zip'),
  document('doc', 'application/msword', 'application/x-cfb'),
  document('xls', 'application/vnd.ms-excel', 'application/x-cfb application/msexcel'),
  document('ppt', 'application/vnd.ms-powerpoint', 'application/x-cfb'),
  document('zip', 'application/zip', 'application/x-zip-compressed application/x-zip multipart/x-zip'),
  document('rar', 'application/vnd.rar', 'application/x-rar-compressed application/x-rar'),
  kind('text', 'text/plain', 'txt'),
  kind('text', 'text/markdown', 'md', 'text/x-markdown text/plain'),
  kind('text', 'text/csv', 'csv', 'application/csv text/x-csv text/plain application/vnd.ms-excel'),
];

const OPAQUE: FileKind = kind('opaque', 'application/octet-stream', '');

/** Source code, JSON, HTML: models read it as text, downloads are `application/octet-stream`. */
const OPAQUE_TEXT: FileKind = { ...OPAQUE, family: 'text' };

const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

const OTHER_IMAGE_EXTENSIONS = /^(svgz?|bmp|tiff?|hei[cf]|avif|ico|jxl|jp2|psd)$/;

const hasType = (kind: FileKind, type: string) => kind.type === type || kind.aliases.includes(type);

/** The extension decides between kinds with the same signature. */
function kindOfContent({ detected, extension }: FileEvidence): FileKind | null {
  if (detected === null) return null;
  const candidates = KINDS.filter((kind) => kind.family !== 'text' && hasType(kind, detected));
  return candidates.find((kind) => kind.extensions.includes(extension)) ?? candidates.find(isSelfContained) ?? null;
}

/** False for Office documents: their signature is that of a zip archive or an OLE compound file. */
const isSelfContained = ({ format }: FileKind) => !['docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt'].includes(format ?? '');

function mismatch(evidence: FileEvidence): AppError {
  const asImage = evidence.declared.startsWith('image/') || kindOfExtension(evidence.extension)?.family === 'image';
  return new AppError('unsupported_type', { reason: asImage ? 'image' : 'mismatch' });
}

/** Usual extension of a media type; null for types without a kind. */
export const extensionForType = (type: string): string | null =>
  KINDS.find((kind) => hasType(kind, type))?.extensions[0] ?? null;

const kindOfExtension = (extension: string) => KINDS.find((kind) => kind.extensions.includes(extension)) ?? null;

/** Image formats that not all browsers show, or that can contain scripts. */
const isOtherImage = ({ detected, extension, declared }: FileEvidence) =>
  [detected ?? '', declared].some((type) => type.startsWith('image/') && !KINDS.some((kind) => hasType(kind, type))) ||
  OTHER_IMAGE_EXTENSIONS.test(extension);

/** Whether the declared type is a kind with a signature; the content has no known signature. */
const claimsSignature = (declared: string) =>
  declared.startsWith('audio/') || KINDS.some((kind) => kind.family !== 'text' && hasType(kind, declared));

function kindOfUnknownContent(evidence: FileEvidence): FileKind {
  const { extension, declared, isText } = evidence;
  const named = kindOfExtension(extension);
  if (named?.family === 'text' && isText && hasType(named, declared)) return named;
  if (claimsSignature(declared) || (declared === 'text/plain' && !isText)) throw mismatch(evidence);
  if (named === null) return isText ? OPAQUE_TEXT : OPAQUE;
  if (named.family === 'text' && isText) return named;
  throw mismatch(evidence);
}

/**
 * Judges the kind of a file. When content, extension or declared type names a kind, the others must agree with it; the
 * extension or the declared type may be missing. Any other file is opaque: it can only be downloaded.
 * @throws AppError `unsupported_type`
 */
export function judgeFileKind(evidence: FileEvidence): FileKind {
  if (isOtherImage(evidence)) throw new AppError('unsupported_type', { reason: 'image_format' });
  const content = kindOfContent(evidence);
  if (content === null) return kindOfUnknownContent(evidence);
  // Video and audio containers share signatures.
  if (content.family === 'audio' && evidence.detected?.startsWith('video/') && !isAudioClaim(evidence)) return OPAQUE;
  const { extension, declared } = evidence;
  const isDeclared = hasType(content, declared);
  if (extension === '' ? !isDeclared : !content.extensions.includes(extension)) throw mismatch(evidence);
  if (!isDeclared && !GENERIC_TYPES.has(declared)) throw mismatch(evidence);
  return content;
}

const isAudioClaim = ({ declared, extension }: FileEvidence) =>
  declared.startsWith('audio/') || ['m4a', 'weba', 'oga', 'ogg', 'opus'].includes(extension);
