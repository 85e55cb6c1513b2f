import type { DocumentFormat } from '../file-kind.js';
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

/** Reads a document's text. It may take any time and memory, so it runs where it can be killed. */
export async function readDocument(bytes: Buffer, format: DocumentFormat): Promise<ExtractionResult> {
  const out = new TextCollector();
  try {
    await READERS[format](bytes, out);
  } catch (error) {
    const problem = error instanceof ExtractionError ? error.problem : 'broken';
    // A document that breaks off in the middle is worth what came before.
    if (problem !== 'broken' || out.text.trim() === '') return { problem };
  }
  const readable = toReadableText(out.text);
  return readable.text === '' ? { problem: 'empty' } : readable;
}
