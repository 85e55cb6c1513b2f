import type { DocumentFormat } from '../inspection/file-kind.js';
import { ExtractionError, type ExtractionResult, TextCollector } from './extraction.js';
import { toReadableText } from './readable-text.js';

type Reader = (bytes: Buffer, out: TextCollector) => void | Promise<void>;

/** Loaded when it is needed: a process reads one document, with the libraries of its format alone. */
const READERS: Record<DocumentFormat, () => Promise<Reader>> = {
  pdf: async () => (await import('./pdf-text.js')).readPdf,
  docx: async () => (await import('./office-text.js')).readDocx,
  xlsx: async () => (await import('./spreadsheet-text.js')).readXlsx,
  pptx: async () => (await import('./office-text.js')).readPptx,
  doc: async () => (await import('./old-office-text.js')).readDoc,
  xls: async () => (await import('./spreadsheet-text.js')).readXls,
  ppt: async () => (await import('./old-office-text.js')).readPpt,
  zip: async () => (await import('./archive-names.js')).readZipNames,
  rar: async () => (await import('./archive-names.js')).readRarNames,
};

/** Reads the text of a document. Time and memory are unbounded: call it in a sandbox only. */
export async function readDocument(bytes: Buffer, format: DocumentFormat): Promise<ExtractionResult> {
  const out = new TextCollector();
  const read = await READERS[format]();
  try {
    await read(bytes, out);
  } catch (error) {
    const problem = error instanceof ExtractionError ? error.problem : 'broken';
    // A document that is truncated or corrupt in the middle keeps the text before that point.
    if (problem !== 'broken' || out.text.trim() === '') return { problem };
  }
  const readable = toReadableText(out.text);
  return readable.text === '' ? { problem: 'empty' } : readable;
}
