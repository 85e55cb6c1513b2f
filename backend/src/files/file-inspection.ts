import { readFile } from 'node:fs/promises';
import { LIMITS, TEXTS } from '@tanya/contract';
import { fileTypeFromBuffer } from 'file-type';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { type FileKind, judgeFile } from './file-kind.js';
import { cleanFileName, extensionOf } from './file-name.js';
import { isSafeImage } from './image-structure.js';
import { decodeText, hasUtf16Mark } from './text-content.js';

/** What the sender says of a file. */
export interface FileClaim {
  name: string;
  /** Content-Type, '' when there is none. */
  type: string;
}

export interface InspectedFile {
  name: string;
  /** Bytes. */
  size: number;
  kind: FileKind;
  /** The content, where it is text. */
  text: string | null;
}

const MARKUP = /<(?:script|html|!doctype html|iframe|svg)[\s>/]/i;

/** How far into a PDF a browser that guesses types would look. */
const GUESSED_BYTES = 1024;

/** A page hidden before or behind a PDF. */
function isDisguisedPage(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf('%%EOF');
  const around = [bytes.subarray(0, GUESSED_BYTES), end < 0 ? Buffer.alloc(0) : bytes.subarray(end)];
  return around.some((part) => MARKUP.test(part.toString('latin1')));
}

function checkSize(size: number, kind: FileKind, imageBytes: number): void {
  if (size === 0) throw invalidField('file', 'This file is empty.');
  if (kind.family === 'image' && size > imageBytes)
    throw new AppError('too_large', { message: TEXTS.files.imageTooLarge });
}

/** A picture from a clipboard or a camera may come without an ending; who downloads it needs one. */
const named = (name: string, { extensions: [usual = ''] }: FileKind): string =>
  usual === '' || extensionOf(name) !== '' ? name : cleanFileName(`${name}.${usual}`);

/**
 * Finds out what a file is, by its content, and refuses one that pretends to be something else.
 * @throws AppError `unsupported_type`, `too_large` or `invalid`
 */
export async function inspectFile(
  path: string,
  claim: FileClaim,
  imageBytes: number = LIMITS.imageBytes,
): Promise<InspectedFile> {
  const bytes = await readFile(path);
  const given = cleanFileName(claim.name);
  const text = decodeText(bytes);
  // The mark of UTF-16 looks like the beginning of a sound.
  const isMarkedText = text !== null && hasUtf16Mark(bytes);
  const kind = judgeFile({
    detected: isMarkedText ? null : ((await fileTypeFromBuffer(bytes))?.mime.split(';')[0] ?? null),
    isText: text !== null,
    extension: extensionOf(given),
    declared: claim.type.split(';')[0]!.trim().toLowerCase(),
  });
  checkSize(bytes.length, kind, imageBytes);
  if (kind.family === 'image' && !isSafeImage(bytes, kind.type))
    throw new AppError('unsupported_type', { message: TEXTS.files.imageInvalid });
  if (kind.format === 'pdf' && isDisguisedPage(bytes)) throw new AppError('unsupported_type');
  return { name: named(given, kind), size: bytes.length, kind, text };
}
