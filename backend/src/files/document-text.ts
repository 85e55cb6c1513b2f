import { AppError } from '../platform/errors/app-error.js';
import { MAX_CHARACTERS } from './extract/extraction.js';
import { toReadableText } from './extract/readable-text.js';
import type { Extraction, TextExtractor } from './extract/text-extractor.js';
import type { InspectedFile } from './file-inspection.js';
import type { DocumentFormat } from './file-kind.js';

export interface ReadableText {
  /** What a model can read; null when that is nothing. */
  text: string | null;
  /** What the user should know about that. */
  notice: string | null;
}

const NOTICES = {
  cut: `Only the first ${MAX_CHARACTERS.toLocaleString('en')} characters of this document are read.`,
  names: 'Only the names of the files in this archive are read.',
  encrypted: 'This document is protected by a password and could not be read.',
  empty: 'No text was found in this document.',
  scan: 'No text was found in this document. Is it a scan?',
  emptyArchive: 'This archive is empty.',
  broken: 'The text of this document could not be read.',
  overloaded: 'This document could not be read because too many others are being read. Please upload it again.',
  unknown: 'The model cannot read this type of file.',
};

const isArchive = (format: DocumentFormat) => format === 'zip' || format === 'rar';

function emptyNotice(format: DocumentFormat): string {
  if (isArchive(format)) return NOTICES.emptyArchive;
  return format === 'pdf' ? NOTICES.scan : NOTICES.empty;
}

function fromExtraction(extraction: Extraction, format: DocumentFormat): ReadableText {
  if ('text' in extraction) {
    const notice = extraction.isCut ? NOTICES.cut : isArchive(format) ? NOTICES.names : null;
    return { text: extraction.text, notice };
  }
  if (extraction.problem === 'hostile') throw new AppError('unreadable_file');
  return { text: null, notice: extraction.problem === 'empty' ? emptyNotice(format) : NOTICES[extraction.problem] };
}

/**
 * What a model will read of a file, and what the user is told when that is not all of it.
 * @throws AppError `unreadable_file` for a document that exhausts its reader
 */
export async function readForModel(path: string, file: InspectedFile, extractor: TextExtractor): Promise<ReadableText> {
  const { family, format } = file.kind;
  if (family === 'image' || family === 'audio') return { text: null, notice: null };
  if (format !== undefined) return fromExtraction(await extractor.read({ path, format }), format);
  if (file.text === null) return { text: null, notice: NOTICES.unknown };
  const { text, isCut } = toReadableText(file.text);
  return text === '' ? { text: null, notice: NOTICES.empty } : { text, notice: isCut ? NOTICES.cut : null };
}
