import { TEXTS } from '@tanya/contract';
import { AppError } from '../platform/errors/app-error.js';

export type FileFamily = 'image' | 'audio' | 'text' | 'document' | 'opaque';

/** How the text of a document is found. */
export type DocumentFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'doc' | 'xls' | 'ppt' | 'zip' | 'rar';

export interface FileKind {
  family: FileFamily;
  /** What it is stored and served as. */
  type: string;
  extensions: readonly string[];
  /** What browsers call it besides `type`. */
  aliases: readonly string[];
  format?: DocumentFormat;
}

/** What is known of a file before it is believed. */
export interface FileEvidence {
  /** By content; null when no signature is known. */
  detected: string | null;
  /** Whether all of it is readable text. */
  isText: boolean;
  extension: string;
  /** Content-Type of the upload, '' when there is none. */
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

/** Readable by people and models, but stored and served as bytes: source code, JSON, HTML. */
const OPAQUE_TEXT: FileKind = { ...OPAQUE, family: 'text' };

const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

const OTHER_IMAGE_EXTENSIONS = /^(svgz?|bmp|tiff?|hei[cf]|avif|ico|jxl|jp2|psd)$/;

const calls = (kind: FileKind, type: string) => kind.type === type || kind.aliases.includes(type);

/** Signatures that look like one of several kinds are told apart by the extension. */
function kindOfContent({ detected, extension }: FileEvidence): FileKind | null {
  if (detected === null) return null;
  const candidates = KINDS.filter((kind) => kind.family !== 'text' && calls(kind, detected));
  return candidates.find((kind) => kind.extensions.includes(extension)) ?? candidates.find(isNotContainer) ?? null;
}

/** A zip or an old Office container says little about what is inside; everything else is a kind by itself. */
const isNotContainer = ({ format }: FileKind) => !['docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt'].includes(format ?? '');

function mismatch(evidence: FileEvidence): AppError {
  const asImage = evidence.declared.startsWith('image/') || kindOfExtension(evidence.extension)?.family === 'image';
  return new AppError('unsupported_type', {
    message: asImage ? TEXTS.files.imageInvalid : 'The content of this file does not match its name or type.',
  });
}

/** How files of this type usually end; null for types that are nothing special. */
export const extensionForType = (type: string): string | null =>
  KINDS.find((kind) => calls(kind, type))?.extensions[0] ?? null;

const kindOfExtension = (extension: string) => KINDS.find((kind) => kind.extensions.includes(extension)) ?? null;

/** Pictures that browsers don't all show, or that may carry scripts. */
const isOtherImage = ({ detected, extension, declared }: FileEvidence) =>
  [detected ?? '', declared].some((type) => type.startsWith('image/') && !KINDS.some((kind) => calls(kind, type))) ||
  OTHER_IMAGE_EXTENSIONS.test(extension);

/** Whether the sender says that this is a kind with a signature, which this content then lacks. */
const claimsOtherKind = (declared: string) =>
  declared.startsWith('audio/') || KINDS.some((kind) => kind.family !== 'text' && calls(kind, declared));

function kindOfUnknownContent(evidence: FileEvidence): FileKind {
  const { extension, declared, isText } = evidence;
  const named = kindOfExtension(extension);
  if (named?.family === 'text' && isText && calls(named, declared)) return named;
  if (claimsOtherKind(declared) || (declared === 'text/plain' && !isText)) throw mismatch(evidence);
  if (named === null) return isText ? OPAQUE_TEXT : OPAQUE;
  if (named.family === 'text' && isText) return named;
  throw mismatch(evidence);
}

/**
 * What a file is. Content, extension and declared type must tell the same story as soon as one of them names a kind
 * that is treated specially, and of the latter two one may be missing; every other file is bytes that can only be
 * downloaded.
 * @throws AppError `unsupported_type`
 */
export function judgeFile(evidence: FileEvidence): FileKind {
  if (isOtherImage(evidence)) throw new AppError('unsupported_type', { message: TEXTS.files.imageFormat });
  const content = kindOfContent(evidence);
  if (content === null) return kindOfUnknownContent(evidence);
  // A film is no audio file, though it begins like one.
  if (content.family === 'audio' && evidence.detected?.startsWith('video/') && !isAudioClaim(evidence)) return OPAQUE;
  const { extension, declared } = evidence;
  const isDeclared = calls(content, declared);
  if (extension === '' ? !isDeclared : !content.extensions.includes(extension)) throw mismatch(evidence);
  if (!isDeclared && !GENERIC_TYPES.has(declared)) throw mismatch(evidence);
  return content;
}

const isAudioClaim = ({ declared, extension }: FileEvidence) =>
  declared.startsWith('audio/') || ['m4a', 'weba', 'oga', 'ogg', 'opus'].includes(extension);
