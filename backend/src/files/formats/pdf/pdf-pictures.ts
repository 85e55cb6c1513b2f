import type { PageWord } from '@tanya/contract';
import { wordsOf } from './pdf-words.js';
import { Pdf } from './pdfium.js';

/** A drawn page: four bytes a pixel, of which the last has no meaning. */
export interface DrawnPage {
  page: number;
  width: number;
  height: number;
  pixels: Buffer;
}

/** `FPDF_RenderPageBitmap`: with annotations, in the order red, green, blue. */
const DRAW_FLAGS = 0x01 | 0x10;

const WHITE = 0xffffffff;

const CHANNELS = 4;

/** From this difference to the paper on, of 255, a pixel is ink. Below it are shades and noise of a scanner. */
const INK = 32;

/** Pixels of ink from which a page says something. Two digits in small print have more, a speck of dust has fewer. */
const LEAST_INK = 40;

/** Draws pages of a PDF. Time and memory are unbounded: use it in a sandbox only. */
export class PdfPictures {
  private constructor(
    private readonly pdf: Pdf,
    private readonly side: number,
  ) {}

  /** @param side pixels of the longer side of a picture @throws ExtractionError `encrypted` or `broken` */
  static async open(bytes: Buffer, side: number): Promise<PdfPictures> {
    return new PdfPictures(await Pdf.open(bytes), side);
  }

  /** Whether a page has anything that could be drawn. @param page from 1 */
  hasObjects(page: number): boolean {
    const { library } = this.pdf;
    const count = (handle: number) => library.FPDFPage_CountObjects(handle) + library.FPDFPage_GetAnnotCount(handle);
    return (this.pdf.withPage(page - 1, count) ?? 0) > 0;
  }

  /** @param page from 1 */
  words(page: number): PageWord[] {
    return this.pdf.withPage(page - 1, (handle) => wordsOf(this.pdf, handle)) ?? [];
  }

  /** @returns null for a page that is blank or cannot be drawn @param page from 1 */
  draw(page: number): DrawnPage | null {
    const { library, form } = this.pdf;
    return this.pdf.withPage(page - 1, (handle) => {
      const [across, down] = [library.FPDF_GetPageWidthF(handle), library.FPDF_GetPageHeightF(handle)];
      const scale = this.side / Math.max(across, down);
      const [width, height] = [across, down].map((points) => Math.max(1, Math.round(points * scale)));
      if (width === undefined || height === undefined || !Number.isFinite(scale)) return null;
      const bitmap = library.FPDFBitmap_Create(width, height, 0);
      if (bitmap === 0) return null;
      try {
        library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
        library.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, DRAW_FLAGS);
        library.FPDF_FFLDraw(form, bitmap, handle, 0, 0, width, height, 0, DRAW_FLAGS);
        const pixels = this.pdf.memory(library.FPDFBitmap_GetBuffer(bitmap), width * height * CHANNELS);
        return isBlank(pixels) ? null : { page, width, height, pixels: Buffer.from(pixels) };
      } finally {
        library.FPDFBitmap_Destroy(bitmap);
      }
    });
  }
}

/** Whether nearly all pixels have the colour of the paper, which is the most frequent value of each channel. */
function isBlank(pixels: Buffer): boolean {
  const paper = [0, 1, 2].map((channel) => mostFrequent(pixels, channel));
  const [red = 0, green = 0, blue = 0] = paper;
  let ink = 0;
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const isInk =
      Math.abs(pixels[at]! - red) > INK ||
      Math.abs(pixels[at + 1]! - green) > INK ||
      Math.abs(pixels[at + 2]! - blue) > INK;
    if (isInk && (ink += 1) >= LEAST_INK) return false;
  }
  return true;
}

function mostFrequent(pixels: Buffer, channel: number): number {
  const counts = new Uint32Array(256);
  for (let at = channel; at < pixels.length; at += CHANNELS) counts[pixels[at]!]! += 1;
  return counts.indexOf(Math.max(...counts));
}
