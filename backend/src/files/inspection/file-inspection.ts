import { readFile } from 'node:fs/promises';
import { LIMITS } from '@tanya/contract';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { filesTooLarge } from '../../platform/errors/error-body.js';
import { type FileKind, judgeFileKind, nameOfBeginning, nameOfType } from './file-kind.js';
import { signatureOf, signatureOfFile } from './file-signature.js';
import { cleanFileName, extensionOf } from '../file-name.js';
import { decodeText, hasUtf16Bom } from './text-content.js';

/** Name and type as declared by the client. */
export interface FileClaim {
  name: string;
  /** Content-Type; '' when missing. */
  type: string;
}

export interface InspectedFile {
  name: string;
  /** Bytes. */
  size: number;
  kind: FileKind;
  /** Decoded content of a text file; null for other files, and for text in other encodings than Unicode. */
  text: string | null;
  /** What the content is, as a noun, where its signature says it. */
  signature: string | null;
}

/** Declares the type of a file by its content when it has neither an extension nor a type. */
export async function completeClaim(path: string, claim: FileClaim): Promise<FileClaim> {
  if (claim.type !== '' || extensionOf(cleanFileName(claim.name)) !== '') return claim;
  return { ...claim, type: (await signatureOfFile(path))?.mime ?? '' };
}

const MARKUP = /<(?:script|html|!doctype html|iframe|svg)[\s>/]/i;

/** Bytes that browsers read for content sniffing. */
const SNIFFED_BYTES = 1024;

/** Whether HTML or SVG markup stands before or after the PDF in the file. */
function hasHiddenMarkup(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf('%%EOF');
  const around = [bytes.subarray(0, SNIFFED_BYTES), end < 0 ? Buffer.alloc(0) : bytes.subarray(end)];
  return around.some((part) => MARKUP.test(part.toString('latin1')));
}

function checkSize(size: number, { family }: FileKind, imageBytes: number): void {
  const isImage = family === 'image';
  const limit = isImage ? imageBytes : LIMITS.documentBytes;
  if (size > limit) throw filesTooLarge(isImage ? 'image' : 'document', limit);
}

/** Adds the usual extension to a name without one: images from a clipboard or a camera often have none. */
const withUsualExtension = (name: string, { extensions: [usual = ''] }: FileKind): string =>
  usual === '' || extensionOf(name) !== '' ? name : cleanFileName(`${name}.${usual}`);

/**
 * Determines the kind of a file by its content. Rejects files whose name or declared type contradicts the content.
 * @param source its path, or its contents
 * @param imageBytes size limit of images
 * @throws AppError `unsupported_type`, `too_large` or `invalid`
 */
export async function inspectFile(
  source: string | Buffer,
  claim: FileClaim,
  imageBytes: number = LIMITS.imageBytes,
): Promise<InspectedFile> {
  const bytes = typeof source === 'string' ? await readFile(source) : source;
  if (bytes.length === 0) throw refuseField('file', 'empty_file');
  const given = cleanFileName(claim.name);
  const extension = extensionOf(given);
  const declared = claim.type.split(';')[0]!.trim().toLowerCase();
  const content = await decodeText(bytes);
  // A UTF-16 byte order mark matches the signature of MPEG audio.
  const isUtf16 = content !== null && hasUtf16Bom(bytes);
  const signature = isUtf16 ? null : ((await signatureOf(bytes))?.mime.split(';')[0] ?? null);
  const isPdf = isLatePdf(bytes) && (extension === 'pdf' || declared === 'application/pdf');
  const start = bytes.subarray(0, SNIFFED_BYTES).toString('latin1').replace(/^ï»¿/, '');
  const kind = judgeFileKind({
    detected: isPdf ? 'application/pdf' : signature,
    isText: content !== null,
    start,
    extension,
    declared,
  });
  checkSize(bytes.length, kind, imageBytes);
  if (kind.format === 'pdf' && hasHiddenMarkup(bytes)) throw new AppError('unsupported_type');
  const isUnknownText = kind.family === 'text' && content?.text === null;
  return {
    name: withUsualExtension(given, kind),
    size: bytes.length,
    kind: isUnknownText ? { ...kind, format: 'text' } : kind,
    text: kind.format === undefined ? (content?.text ?? null) : null,
    signature: signature === null ? nameOfBeginning(start) : nameOfType(signature),
  };
}

/** Readers accept a PDF whose header stands in the first kilobyte. */
const isLatePdf = (bytes: Buffer): boolean => bytes.subarray(0, SNIFFED_BYTES).includes('%PDF-');
