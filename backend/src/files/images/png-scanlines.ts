import type { PngChunk } from './png-chunks.js';

/** The fields of IHDR. */
export interface ImageHeader {
  width: number;
  height: number;
  bitsPerPixel: number;
  isInterlaced: boolean;
}

/** Samples per pixel, by colour type. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const BIT_DEPTHS = [1, 2, 4, 8, 16];

/** Filter types of PNG are 0 to 4. */
const MAX_FILTER = 4;

/** Passes of an interlaced image: first column and row, and the steps between columns and rows. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** @throws Error for a malformed header */
export function readHeader(chunk: PngChunk | undefined): ImageHeader {
  if (chunk?.type !== 'IHDR' || chunk.data.length !== 13) throw new Error('the PNG has no header');
  const [bitDepth, colourType, compression, filter, interlacing] = chunk.data.subarray(8);
  const samples = SAMPLES[colourType!];
  if (samples === undefined || !BIT_DEPTHS.includes(bitDepth!) || compression !== 0 || filter !== 0)
    throw new Error('the header of the PNG is malformed');
  return {
    width: chunk.data.readUInt32BE(0),
    height: chunk.data.readUInt32BE(4),
    bitsPerPixel: samples * bitDepth!,
    isInterlaced: interlacing === 1,
  };
}

/** Rows and bytes per row, the filter byte included, of each pass over the image. */
function passesOf({ width, height, bitsPerPixel, isInterlaced }: ImageHeader): { rows: number; stride: number }[] {
  return (isInterlaced ? ADAM7 : [[0, 0, 1, 1] as const]).flatMap(([left, top, right, down]) => {
    const columns = Math.ceil((width - left) / right);
    const rows = Math.ceil((height - top) / down);
    return columns > 0 && rows > 0 ? { rows, stride: 1 + Math.ceil((columns * bitsPerPixel) / 8) } : [];
  });
}

/** Bytes of the decompressed image. */
export const scanlineBytes = (header: ImageHeader): number =>
  passesOf(header).reduce((sum, { rows, stride }) => sum + rows * stride, 0);

/** @throws Error unless the decompressed image has the size of the header and valid filters */
export function requireScanlines(scanlines: Buffer, header: ImageHeader): void {
  if (scanlines.length !== scanlineBytes(header)) throw new Error('an image of the PNG has a wrong size');
  let at = 0;
  for (const { rows, stride } of passesOf(header)) {
    for (let row = 0; row < rows; row += 1, at += stride) {
      if (scanlines[at]! > MAX_FILTER) throw new Error('an image of the PNG has an unknown filter');
    }
  }
}
