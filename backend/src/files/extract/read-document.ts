import type { DocumentFormat } from '../inspection/file-kind.js';
import { readRarNames, readZipNames } from './archive-names.js';
import { ExtractionError, type ExtractionResult, TextCollector } from './extraction.js';
import { readDocx, readPptx } from './office-text.js';
import { readDoc, readPpt } from './old-office-text.js';
import { readPdf } from './pdf-text.js';
import { toReadableText } from './readable-text.js';
import { readXls, readXlsx } from './spreadsheet-text.js';

const READERS: Record<DocumentFormat, (bytes: Buffer, out: TextCollector) => void | Promise<void>> = {
  pdf: readPdf,
  docx: readDocx,
  xlsx: readXlsx,
  pptx: readPptx,
  doc: readDoc,
  xls: readXls,
  ppt: readPpt,
  zip: readZipNames,
  rar: readRarNames,
};

/** Reads the text of a document. Time and memory are unbounded: call it in a sandbox only. */
export async function readDocument(bytes: Buffer, format: DocumentFormat): Promise<ExtractionResult> {
  const out = new TextCollector();
  try {
    await READERS[format](bytes, out);
  } catch (error) {
    const problem = error instanceof ExtractionError ? error.problem : 'broken';
    // A document that is truncated or corrupt in the middle keeps the text before that point.
    if (problem !== 'broken' || out.text.trim() === '') return { problem };
  }
  const readable = toReadableText(out.text);
  return readable.text === '' ? { problem: 'empty' } : readable;
}
