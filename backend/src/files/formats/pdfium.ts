import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { ExtractionError } from './sections.js';

const WASM = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');

/** `FPDF_GetLastError`: the document needs a password, or its security handler is unknown. */
const ERR_PASSWORD = 4;
const ERR_SECURITY = 5;

const UTF16_BYTES = 2;

/** PDFium with one open document. A process reads one file, at most with those inside of it, and ends, so nothing is closed. */
export class Pdf {
  /** Environment of form fields, which PDFium needs to read and draw them. */
  readonly form: number;
  readonly pageCount: number;

  private constructor(
    readonly library: WrappedPdfiumModule,
    private readonly document: number,
  ) {
    this.form = library.PDFiumExt_InitFormFillEnvironment(document, library.PDFiumExt_OpenFormFillInfo());
    this.pageCount = library.FPDF_GetPageCount(document);
  }

  /** @throws ExtractionError `encrypted` or `broken` */
  static async open(bytes: Uint8Array): Promise<Pdf> {
    const wasm = await readFile(WASM);
    const library = await init({ wasmBinary: new Uint8Array(wasm).buffer });
    library.PDFiumExt_Init();
    const at = library.pdfium.wasmExports.malloc(bytes.length);
    library.pdfium.HEAPU8.set(bytes, at);
    const document = library.FPDF_LoadMemDocument(at, bytes.length, '');
    if (document !== 0) return new Pdf(library, document);
    const isEncrypted = [ERR_PASSWORD, ERR_SECURITY].includes(library.FPDF_GetLastError());
    throw new ExtractionError(isEncrypted ? 'encrypted' : 'broken');
  }

  /** Calls `work` with a page, whose handle ends after it; null for a page that cannot be read. @param index from 0 */
  withPage<T>(index: number, work: (page: number) => T): T | null {
    const page = this.library.FPDF_LoadPage(this.document, index);
    if (page === 0) return null;
    this.library.FORM_OnAfterLoadPage(page, this.form);
    try {
      return work(page);
    } finally {
      this.library.FORM_OnBeforeClosePage(page, this.form);
      this.library.FPDF_ClosePage(page);
    }
  }

  /** Calls `work` with the text of a page, whose handle ends after it; 0 for a page without one. */
  withText<T>(page: number, work: (text: number) => T): T {
    const text = this.library.FPDFText_LoadPage(page);
    try {
      return work(text);
    } finally {
      if (text !== 0) this.library.FPDFText_ClosePage(text);
    }
  }

  /** Calls `work` with memory of PDFium, which is free after it. */
  withMemory<T>(size: number, work: (at: number) => T): T {
    const { malloc, free } = this.library.pdfium.wasmExports;
    const at = malloc(size);
    try {
      return work(at);
    } finally {
      free(at);
    }
  }

  /** Bytes of PDFium's memory. The view ends with the next call, which may move the memory. */
  memory(at: number, size: number): Buffer {
    return Buffer.from(this.library.pdfium.HEAPU8.buffer as ArrayBuffer, at, size);
  }

  /** A text in UTF-16, which `write` writes to a buffer. @param write returns the needed bytes, with the final NUL */
  text(write: (at: number, size: number) => number): string {
    const size = write(0, 0);
    if (size <= UTF16_BYTES) return '';
    return this.withMemory(size, (at) => {
      const written = Math.min(write(at, size), size);
      return this.memory(at, Math.max(0, written - UTF16_BYTES)).toString('utf16le');
    });
  }
}
