import { AppError } from '../../platform/errors/app-error.js';
import type { InspectedFile } from '../inspection/file-inspection.js';
import type { DocumentFormat } from '../inspection/file-kind.js';
import { MAX_CHARACTERS } from './extraction.js';
import { toReadableText } from './readable-text.js';
import type { Extraction, TextExtractor } from './text-extractor.js';

export interface DocumentText {
  /** Text for models; null when the file has none. */
  text: string | null;
  /** Why the text is incomplete or missing, for the user. */
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

function fromExtraction(extraction: Extraction, format: DocumentFormat): DocumentText {
  if ('text' in extraction) {
    const notice = extraction.isCut ? NOTICES.cut : isArchive(format) ? NOTICES.names : null;
    return { text: extraction.text, notice };
  }
  if (extraction.problem === 'hostile') throw new AppError('unreadable_file');
  return { text: null, notice: extraction.problem === 'empty' ? emptyNotice(format) : NOTICES[extraction.problem] };
}

/**
 * The text of a file for models, with a notice for the user where it is incomplete.
 * @throws AppError `unreadable_file` for a document that exhausts its reader
 */
export async function documentText(path: string, file: InspectedFile, extractor: TextExtractor): Promise<DocumentText> {
  const { family, format } = file.kind;
  if (family === 'image' || family === 'audio') return { text: null, notice: null };
  if (format !== undefined) return fromExtraction(await extractor.read({ path, format }), format);
  if (file.text === null) return { text: null, notice: NOTICES.unknown };
  const { text, isCut } = toReadableText(file.text);
  return text === '' ? { text: null, notice: NOTICES.empty } : { text, notice: isCut ? NOTICES.cut : null };
}
