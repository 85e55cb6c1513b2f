import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { ExtractionError } from '../sections.js';

const WASM = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');

/** `FPDF_GetLastError`: the document needs a password, or its security handler is unknown. */
const ERR_PASSWORD = 4;
const ERR_SECURITY = 5;

const UTF16_BYTES = 2;
/** Of a number that PDFium writes. */
const NUMBER_BYTES = 4;

const MAX_ATTACHMENTS = 200;
const MAX_ATTACHMENT_BYTES = 32 * 1024 * 1024;

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

  /** What the document calls a page, such as `xii`; '' for one without a name. @param index from 0 */
  pageName(index: number): string {
    return this.text((at, size) => this.library.FPDF_GetPageLabel(this.document, index, at, size));
  }

  /** Where a link on a page leads; '' for a place inside of the document. @param annotation handle of the link */
  addressOf(annotation: number): string {
    const { library, document } = this;
    const action = library.FPDFLink_GetAction(library.FPDFAnnot_GetLink(annotation));
    const size = action === 0 ? 0 : library.FPDFAction_GetURIPath(document, action, 0, 0);
    if (size <= 1) return '';
    return this.withMemory(size, (at) => {
      library.FPDFAction_GetURIPath(document, action, at, size);
      return this.memory(at, size - 1).toString();
    });
  }

  /** The files inside of the document. */
  attachments(): { name: string; load: () => Uint8Array }[] {
    const { library, document } = this;
    const count = Math.min(Math.max(library.FPDFDoc_GetAttachmentCount(document), 0), MAX_ATTACHMENTS);
    return Array.from({ length: count }, (_, index) => library.FPDFDoc_GetAttachment(document, index))
      .filter((attachment) => attachment !== 0)
      .map((attachment) => ({
        name: this.text((at, size) => library.FPDFAttachment_GetName(attachment, at, size)),
        load: () =>
          this.bytes((at, size, needed) => library.FPDFAttachment_GetFile(attachment, at, size, needed)) ??
          new Uint8Array(),
      }));
  }

  /** The first part of a form in XML (XFA) with one of the names; null for a document without it. */
  formPart(names: readonly string[]): Uint8Array | null {
    const { library, document } = this;
    const count = Math.min(Math.max(library.FPDF_GetXFAPacketCount(document), 0), MAX_ATTACHMENTS);
    for (let index = 0; index < count; index++) {
      const size = library.FPDF_GetXFAPacketName(document, index, 0, 0);
      const name = this.withMemory(size + 1, (at) => {
        library.FPDF_GetXFAPacketName(document, index, at, size);
        return this.memory(at, Math.max(0, size - 1)).toString('latin1');
      });
      if (names.includes(name))
        return this.bytes((at, most, needed) => library.FPDF_GetXFAPacketContent(document, index, at, most, needed));
    }
    return null;
  }

  /** Bytes that `write` writes; null for none, or too many. @param write puts the needed number at `needed` */
  private bytes(write: (at: number, size: number, needed: number) => boolean): Uint8Array | null {
    return this.withMemory(NUMBER_BYTES, (needed) => {
      this.memory(needed, NUMBER_BYTES).fill(0);
      if (!write(0, 0, needed)) return null;
      const size = this.memory(needed, NUMBER_BYTES).readUInt32LE();
      if (size === 0 || size > MAX_ATTACHMENT_BYTES) return null;
      return this.withMemory(size, (at) => (write(at, size, needed) ? Uint8Array.from(this.memory(at, size)) : null));
    });
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
