import { getDocumentProxy } from 'unpdf';
import { ExtractionError, type TextCollector } from './extraction.js';

const isEncrypted = (error: unknown) => error instanceof Error && error.name === 'PasswordException';

/** Reads page by page and stops once the text is full. Scripts in a PDF are not run, and its links are not fetched. */
export async function readPdf(bytes: Buffer, out: TextCollector): Promise<void> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  }).catch((error: unknown) => {
    throw new ExtractionError(isEncrypted(error) ? 'encrypted' : 'broken');
  });
  for (let number = 1; number <= pdf.numPages && !out.isFull; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) if ('str' in item) out.add(item.hasEOL ? `${item.str}\n` : item.str);
    out.add('\n\n');
    page.cleanup();
  }
}
