import { promisedNoun } from './document-kinds.js';
import { AppError } from '../../platform/errors/app-error.js';

export type FileFamily = 'image' | 'audio' | 'text' | 'document' | 'opaque';

/**
 * What the readers of documents tell apart. Inside of `zip` and `ole`, the content says which program wrote it. `text` is
 * a text whose encoding is not known; text in UTF-8 needs no reader. `sheet` is a workbook of Excel 2 to 4 or in XML,
 * `word` a document of Word 2.
 */
export type DocumentFormat =
  | 'pdf'
  | 'zip'
  | 'ole'
  | 'rar'
  | 'gzip'
  | 'tar'
  | 'rtf'
  | 'mail'
  | 'tnef'
  | 'smime'
  | 'html'
  | 'odf'
  | 'opc'
  | 'notebook'
  | 'sheet'
  | 'word'
  | 'text';

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
  /** The first characters, each byte as one. */
  start: string;
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

const document = (format: DocumentFormat, type: string, extensions: string, aliases = ''): FileKind => ({
  ...kind('document', type, extensions, aliases),
  format,
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
const WORD = 'application/vnd.ms-word';
const EXCEL = 'application/vnd.ms-excel';
const POWERPOINT = 'application/vnd.ms-powerpoint';

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
  document('pdf', 'application/pdf', 'pdf', 'application/x-pdf'),
  document('zip', `${OFFICE}.wordprocessingml.document`, 'docx'),
  document('zip', `${OFFICE}.spreadsheetml.sheet`, 'xlsx'),
  document('zip', `${OFFICE}.presentationml.presentation`, 'pptx'),
  document('zip', `${OFFICE}.wordprocessingml.template`, 'dotx'),
  document('zip', `${OFFICE}.spreadsheetml.template`, 'xltx'),
  document('zip', `${OFFICE}.presentationml.template`, 'potx'),
  document('zip', `${OFFICE}.presentationml.slideshow`, 'ppsx'),
  document('zip', `${WORD}.document.macroenabled.12`, 'docm'),
  document('zip', `${WORD}.template.macroenabled.12`, 'dotm'),
  document('zip', `${EXCEL}.sheet.macroenabled.12`, 'xlsm'),
  document('zip', `${EXCEL}.template.macroenabled.12`, 'xltm'),
  document('zip', `${EXCEL}.sheet.binary.macroenabled.12`, 'xlsb'),
  document('zip', `${POWERPOINT}.presentation.macroenabled.12`, 'pptm'),
  document('zip', `${POWERPOINT}.template.macroenabled.12`, 'potm'),
  document('zip', `${POWERPOINT}.slideshow.macroenabled.12`, 'ppsm'),
  document('zip', `${OPEN}.text`, 'odt', `${OPEN}.text-template`),
  document('zip', `${OPEN}.spreadsheet`, 'ods', `${OPEN}.spreadsheet-template`),
  document('zip', `${OPEN}.presentation`, 'odp', `${OPEN}.presentation-template`),
  document('zip', `${OPEN}.graphics`, 'odg'),
  document('zip', 'application/epub+zip', 'epub'),
  document('ole', 'application/msword', 'doc dot'),
  document('ole', EXCEL, 'xls xlt', 'application/msexcel'),
  document('ole', POWERPOINT, 'ppt pps pot'),
  document('ole', 'application/vnd.ms-outlook', 'msg'),
  document('zip', 'application/zip', 'zip', 'application/x-zip-compressed application/x-zip multipart/x-zip'),
  document('rar', 'application/vnd.rar', 'rar', 'application/x-rar-compressed application/x-rar'),
  document('rtf', 'application/rtf', 'rtf', 'text/rtf'),
  document('mail', 'message/rfc822', 'eml mht mhtml', 'multipart/related application/x-mimearchive'),
  document('odf', `${OPEN}.text-flat-xml`, 'fodt fods fodp fodg'),
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

/** Formats of Office programs and archives. Their names say less than their content: a workbook may be named as an older one. */
const OFFICE_FORMATS: readonly (DocumentFormat | undefined)[] = [
  'zip',
  'ole',
  'rtf',
  'mail',
  'odf',
  'opc',
  'gzip',
  'tar',
];

/** The containers that a detected media type stands for, without those of documents that are not listed. */
const CONTAINERS: readonly [RegExp, DocumentFormat][] = [
  [/^application\/x-cfb$/, 'ole'],
  [/^application\/gzip$/, 'gzip'],
  [/^application\/x-tar$/, 'tar'],
  [/[/+-]zip$|openxmlformats|opendocument|macroenabled|visio|java-archive|3mf|vnd\.ms-package/i, 'zip'],
];

/** The first two lines of a mail. */
const MAIL_HEAD =
  /^(?:mime-version|from|received|return-path|delivered-to|message-id|date|subject|(?:content|x|arc|dkim)-[\w-]+):[^\n]*\n(?:[\w-]+:|[ \t])/i;

/** The line of a mailbox before the head of a mail. */
const MAILBOX_LINE = /^From \S+ [^\n]* \d{4}\r?\n[\w-]+:/;

/** Beginnings of texts in formats with a reader. */
const TEXT_FORMATS: readonly [RegExp, DocumentFormat][] = [
  [/^\s*\{\\rtf/, 'rtf'],
  [MAIL_HEAD, 'mail'],
  [MAILBOX_LINE, 'mail'],
  [/^\s*(?:<\?[^>]*>\s*)*<office:document\s/i, 'odf'],
  [/^\s*(?:<\?[^>]*>\s*)*<(?:ss:)?Workbook\s/, 'sheet'],
  [/^\s*(?:<\?[^>]*>\s*)*<(?:pkg:package|w:wordDocument)\s/i, 'opc'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|table|meta|style|div)[\s>]/i, 'html'],
];

/** Beginnings in hexadecimal of documents without a media type of their own: mails of Outlook, files of Office before 1993. */
const BINARY_FORMATS: readonly [RegExp, DocumentFormat][] = [
  [/^789f3e22/, 'tnef'],
  [/^dba5/, 'word'],
  [/^09(?:00|02|04)0[4-8]00.{4}(?:1000|2000|4000|0001)/, 'sheet'],
];

/** Formats by the name of their files alone. */
const NAMED_FORMATS: Partial<Record<string, DocumentFormat>> = {
  ipynb: 'notebook',
  p7m: 'smime',
  mbox: 'mail',
  emlx: 'mail',
  vcf: 'text',
  vcs: 'text',
  ics: 'text',
};

const binaryFormatOf = (start: string): DocumentFormat | undefined => {
  const hex = hexOf(start);
  return BINARY_FORMATS.find(([pattern]) => pattern.test(hex))?.[1];
};

const hexOf = (start: string): string => Buffer.from(start.slice(0, 8), 'latin1').toString('hex');

/** Usual extension of a media type; null for types without a kind. */
export const extensionForType = (type: string): string | null =>
  KINDS.find((kind) => hasType(kind, type))?.extensions[0] ?? null;

const kindOfExtension = (extension: string) => KINDS.find((kind) => kind.extensions.includes(extension)) ?? null;

const kindOfType = (type: string) => KINDS.find((kind) => hasType(kind, type)) ?? null;

const isOffice = (kind: FileKind | null): boolean => OFFICE_FORMATS.includes(kind?.format);

/** The kind that content of a container has by its name, its declared type, or its signature. */
function kindInContainer(format: DocumentFormat, { detected, extension, declared }: FileEvidence): FileKind {
  const claimed = [kindOfExtension(extension), kindOfType(declared), kindOfType(detected ?? '')];
  return claimed.find((kind) => kind?.format === format) ?? { ...OPAQUE, format };
}

/** The kind by signature; the extension decides between kinds with the same one. */
function kindOfContent(evidence: FileEvidence): FileKind | null {
  const { detected, extension } = evidence;
  if (detected === null) return null;
  const container = CONTAINERS.find(([pattern]) => pattern.test(detected))?.[1];
  if (container !== undefined) return kindInContainer(container, evidence);
  const candidates = KINDS.filter((kind) => kind.family !== 'text' && hasType(kind, detected));
  return candidates.find((kind) => kind.extensions.includes(extension)) ?? candidates[0] ?? null;
}

/** Refuses a file whose content is not what its name or type says. */
function mismatch(evidence: FileEvidence): AppError {
  const { declared, extension, detected, isText } = evidence;
  const asImage = declared.startsWith('image/') || kindOfExtension(extension)?.family === 'image';
  if (asImage && !detected?.startsWith('image/')) return new AppError('unsupported_type', { reason: 'image' });
  const kind = detected === null ? (isText ? 'text file' : 'binary file') : nameOfType(detected);
  return new AppError('unsupported_type', { reason: 'mismatch', params: { kind } });
}

const NAMES: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP archive',
  'application/vnd.rar': 'RAR archive',
  'application/x-cfb': 'Microsoft Office document',
  'application/x-msdownload': 'Windows program',
  'application/x-elf': 'Linux program',
  'application/x-mach-binary': 'macOS program',
  'application/gzip': 'gzip archive',
  'application/x-7z-compressed': '7-Zip archive',
  'application/x-tar': 'tar archive',
  'application/x-bzip2': 'bzip2 archive',
  'application/x-mobipocket-ebook': 'Kindle book',
  'application/vnd.ms-htmlhelp': 'Windows help file',
  'application/vnd.apache.parquet': 'Parquet table',
  'application/x-sqlite3': 'SQLite database',
  'image/vnd.adobe.photoshop': 'Photoshop image',
  'image/jpeg': 'JPEG image',
  'image/png': 'PNG image',
  'image/webp': 'WebP image',
  'image/gif': 'GIF image',
};

/** Beginnings in hexadecimal of kinds without a media type, as nouns. */
const BEGINNINGS: readonly [RegExp, string][] = [
  [/^41542654464f524d/, 'DjVu document'],
  [/^ff575043/, 'WordPerfect document'],
  [/^e4525c7b8cd8a74d/, 'OneNote section'],
  [/^000100005374616e/, 'Access database'],
  [/^48575020446f6375/, 'Hancom document'],
  [/^62706c697374/, 'property list'],
  [/^89484446/, 'HDF5 file'],
  [/^934e554d5059/, 'NumPy array'],
];

/** What a binary file is by its beginning, as a noun; null for an unknown one. @param start each byte as a character */
export const nameOfBeginning = (start: string): string | null =>
  BEGINNINGS.find(([pattern]) => pattern.test(hexOf(start)))?.[1] ?? null;

/** A media type as a noun: `MP4 video`. */
export function nameOfType(type: string): string {
  const [family = '', subtype = ''] = type.split('/');
  const short = subtype.replace(/^(?:x-|vnd\.)+/, '');
  const known = NAMES[type] ?? promisedNoun(extensionForType(type) ?? '');
  if (known !== undefined) return known;
  return ['image', 'audio', 'video', 'font'].includes(family) ? `${short.toUpperCase()} ${family}` : `${short} file`;
}

/** Image formats that not all browsers show, or that can contain scripts. */
const isOtherImage = ({ detected, extension, declared }: FileEvidence) =>
  [detected ?? '', declared].some((type) => type.startsWith('image/') && !KINDS.some((kind) => hasType(kind, type))) ||
  OTHER_IMAGE_EXTENSIONS.test(extension);

/** Whether the declared type is a kind with a signature; the content has no known signature. */
const claimsSignature = (declared: string) =>
  declared.startsWith('audio/') || KINDS.some((kind) => kind.family !== 'text' && hasType(kind, declared));

function kindOfUnknownContent(evidence: FileEvidence): FileKind {
  const { extension, declared, isText, start } = evidence;
  const named = kindOfExtension(extension);
  const byName = NAMED_FORMATS[extension];
  const format = (byName === 'text' && !isText ? undefined : byName) ?? binaryFormatOf(start);
  const canBeDocument = (claim: FileKind | null) => claim === null || claim.family === 'text' || isOffice(claim);
  if (format !== undefined && [named, kindOfType(declared)].every(canBeDocument))
    return { ...(named ?? OPAQUE), format };
  if (named?.family === 'text' && isText && hasType(named, declared)) return named;
  // Programs export tables and texts under the names of Office files.
  const claimed = extension === '' ? kindOfType(declared) : named;
  if (isOffice(claimed) && isText) return officeText(claimed!, evidence);
  if (claimsSignature(declared) || (declared === 'text/plain' && !isText)) throw mismatch(evidence);
  if (named === null) return isText ? kindOfText(evidence) : OPAQUE;
  if (named.family === 'text' && isText) return named;
  throw mismatch(evidence);
}

/** A text without a kind by its name: a whole Office file in one XML file, or only text. */
function kindOfText({ start, extension }: FileEvidence): FileKind {
  const format = extension === 'xml' ? formatOfText(start) : undefined;
  return format === 'opc' || format === 'odf' || format === 'sheet' ? { ...OPAQUE, format } : OPAQUE_TEXT;
}

const formatOfText = (start: string): DocumentFormat | undefined =>
  TEXT_FORMATS.find(([pattern]) => pattern.test(start))?.[1];

/** A text that is named as a document: in the format that it has, else as the text that it is. */
function officeText(claimed: FileKind, { start }: FileEvidence): FileKind {
  const format = formatOfText(start);
  if (format === undefined) return claimed.format === 'mail' ? { ...claimed, format: 'mail' } : OPAQUE_TEXT;
  if (format === claimed.format) return claimed;
  return KINDS.find((kind) => kind.format === format) ?? { ...OPAQUE, format };
}

/**
 * Judges the kind of a file. When content, extension or declared type names a kind, the others must agree with it; the
 * extension or the declared type may be missing. Documents of Office programs may be named as one another: their reader
 * finds out. Any other file is opaque: it can only be downloaded.
 * @throws AppError `unsupported_type`
 */
export function judgeFileKind(evidence: FileEvidence): FileKind {
  if (isOtherImage(evidence)) throw new AppError('unsupported_type', { reason: 'image_format' });
  const content = kindOfContent(evidence);
  if (content === null) return kindOfUnknownContent(evidence);
  // Video and audio containers share signatures.
  if (content.family === 'audio' && evidence.detected?.startsWith('video/') && !isAudioClaim(evidence)) return OPAQUE;
  const { extension, declared } = evidence;
  if (isOffice(content)) return agreeAsOffice(content, evidence);
  const isDeclared = hasType(content, declared);
  if (extension === '' ? !isDeclared : !content.extensions.includes(extension)) throw mismatch(evidence);
  if (!isDeclared && !GENERIC_TYPES.has(declared)) throw mismatch(evidence);
  return content;
}

/** Names and types of other families contradict a document; unknown ones do not. */
function agreeAsOffice(content: FileKind, evidence: FileEvidence): FileKind {
  const { extension, declared } = evidence;
  const claims = [kindOfExtension(extension), kindOfType(declared)];
  const isText = content.format === 'rtf' && extension === 'txt';
  if (!isText && claims.some((claim) => claim !== null && !isOffice(claim))) throw mismatch(evidence);
  if (/^(?:image|audio|video|text)\//.test(declared) && kindOfType(declared) === null) throw mismatch(evidence);
  return content;
}

const isAudioClaim = ({ declared, extension }: FileEvidence) =>
  declared.startsWith('audio/') || ['m4a', 'weba', 'oga', 'ogg', 'opus'].includes(extension);
