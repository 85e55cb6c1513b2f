import type { Pdf } from './pdfium.js';

const FLOAT_BYTES = 4;
const DOUBLE_BYTES = 8;
const MATRIX_FLOATS = 6;

export interface Letter {
  size: number;
  /** Where its line stands, and where up is, on the page. */
  x: number;
  y: number;
  up: readonly [x: number, y: number];
}

/** @returns null for one without a place on the page */
export function letterAt(pdf: Pdf, text: number, place: number): Letter | null {
  const { library } = pdf;
  const index = library.FPDFText_GetCharIndexFromTextIndex(text, place);
  if (index < 0) return null;
  return pdf.withMemory(2 * DOUBLE_BYTES + MATRIX_FLOATS * FLOAT_BYTES, (at) => {
    const matrix = at + 2 * DOUBLE_BYTES;
    const hasPlace = library.FPDFText_GetCharOrigin(text, index, at, at + DOUBLE_BYTES);
    if (!hasPlace || !library.FPDFText_GetMatrix(text, index, matrix)) return null;
    const fontSize = library.FPDFText_GetFontSize(text, index);
    const bytes = pdf.memory(at, 2 * DOUBLE_BYTES + MATRIX_FLOATS * FLOAT_BYTES);
    const float = (number: number) => bytes.readFloatLE(2 * DOUBLE_BYTES + number * FLOAT_BYTES);
    const [upX, upY] = [float(2), float(3)];
    const scale = Math.hypot(upX, upY);
    if (scale === 0) return null;
    const [x, y] = [bytes.readDoubleLE(0), bytes.readDoubleLE(DOUBLE_BYTES)];
    return { size: fontSize * scale, x, y, up: [upX / scale, upY / scale] };
  });
}
