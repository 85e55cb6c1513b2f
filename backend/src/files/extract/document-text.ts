import type { FileNotice } from '@tanya/contract';
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
  notice: FileNotice | null;
}

const PROBLEMS = { encrypted: 'document_protected', broken: 'text_unreadable', overloaded: 'reader_busy' } as const;

const isArchive = (format: DocumentFormat) => format === 'zip' || format === 'rar';

function noticeOf(code: FileNotice['code']): FileNotice {
  return code === 'text_cut' ? { code, params: { max: MAX_CHARACTERS } } : { code };
}

function emptyCode(format: DocumentFormat): FileNotice['code'] {
  if (isArchive(format)) return 'archive_empty';
  return format === 'pdf' ? 'no_text_scan' : 'no_text';
}

function fromExtraction(extraction: Extraction, format: DocumentFormat): DocumentText {
  if ('text' in extraction) {
    const { text, isCut } = extraction;
    if (isCut) return { text, notice: noticeOf('text_cut') };
    return { text, notice: isArchive(format) ? noticeOf('names_only') : null };
  }
  const { problem } = extraction;
  if (problem === 'hostile') throw new AppError('unreadable_file');
  return { text: null, notice: noticeOf(problem === 'empty' ? emptyCode(format) : PROBLEMS[problem]) };
}

/**
 * The text of a file for models, with a notice for the user where it is incomplete.
 * @throws AppError `unreadable_file` for a document that exhausts its reader
 */
export async function documentText(path: string, file: InspectedFile, extractor: TextExtractor): Promise<DocumentText> {
  const { family, format } = file.kind;
  if (family === 'image' || family === 'audio') return { text: null, notice: null };
  if (format !== undefined) return fromExtraction(await extractor.read({ path, format }), format);
  if (file.text === null) return { text: null, notice: noticeOf('type_unknown') };
  const { text, isCut } = toReadableText(file.text);
  if (text === '') return { text: null, notice: noticeOf('no_text') };
  return { text, notice: isCut ? noticeOf('text_cut') : null };
}
