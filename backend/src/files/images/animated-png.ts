import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { type PngChunk, readChunks, writeChunks } from './png-chunks.js';
import { TooManyPixels } from './too-many-pixels.js';

const decompress = promisify(inflate);
const compress = promisify(deflate);

interface Bounds {
  maxFrames: number;
  /** Of all frames together. */
  maxPixels: number;
  /** Of the result. */
  maxBytes: number;
}

/** One image of the file: a frame, or the still image for programs without animation, which has no control chunk. */
interface Image {
  control: Buffer | null;
  data: Buffer[];
}

const FRAME_CONTROL_BYTES = 26;

/** Decompressed bytes of one frame, which are held in memory. */
const MAX_FRAME_BYTES = 128 * 1024 * 1024;

/** Whether a PNG has several frames. False for a malformed PNG, which the image library accepts or refuses. */
export function isAnimatedPng(png: Buffer): boolean {
  try {
    const control = readChunks(png).find(({ type }) => type === 'acTL')?.data;
    return control?.length === 8 && control.readUInt32BE(0) > 1;
  } catch {
    return false;
  }
}

/**
 * Decodes the frames of an animated PNG and encodes them again, which the image library does not do. The result has the
 * palette, the frames and their timing alone: no metadata, no colour profile, no other chunks or bytes.
 * @throws TooManyPixels; Error for a frame that cannot be decoded, and when another bound is exceeded
 */
export async function reencodeAnimatedPng(png: Buffer, bounds: Bounds): Promise<Buffer> {
  const chunks = readChunks(png);
  const header = readHeader(chunks[0]);
  const images = imagesOf(chunks);
  const frames = images.filter(({ control }) => control !== null);
  const sizes = images.map(({ control }) => (control === null ? header : frameSize(control, header)));
  const pixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  if (frames.length === 0) throw new Error('the PNG has no frames');
  if (pixels > bounds.maxPixels) throw new TooManyPixels(pixels);
  if (frames.length > bounds.maxFrames) throw new Error(`${frames.length} frames are too many`);

  const encoded = [chunks[0]!, animationControl(chunks, frames.length), ...paletteOf(chunks)];
  let sequence = 0;
  let bytes = 0;
  for (const [index, { control, data }] of images.entries()) {
    const compressed = await recompress(Buffer.concat(data), { ...header, ...sizes[index]! });
    bytes += compressed.length;
    if (bytes > bounds.maxBytes) throw new Error(`${bytes} encoded bytes are too many`);
    if (control !== null) encoded.push({ type: 'fcTL', data: numbered(sequence++, control.subarray(4)) });
    encoded.push(
      index === 0 ? { type: 'IDAT', data: compressed } : { type: 'fdAT', data: numbered(sequence++, compressed) },
    );
  }
  return writeChunks([...encoded, { type: 'IEND', data: Buffer.alloc(0) }]);
}

async function recompress(data: Buffer, header: ImageHeader): Promise<Buffer> {
  const size = scanlineBytes(header);
  if (size > MAX_FRAME_BYTES) throw new Error(`a frame of ${size} bytes is too large`);
  const scanlines = await decompress(data, { maxOutputLength: Math.max(size, 1) });
  requireScanlines(scanlines, header);
  return compress(scanlines);
}

/** The still image first, which is the first frame too if a control chunk precedes it. */
function imagesOf(chunks: readonly PngChunk[]): Image[] {
  const images: Image[] = [];
  let control: Buffer | null = null;
  for (const { type, data } of chunks) {
    if (type === 'fcTL') {
      if (control !== null || data.length !== FRAME_CONTROL_BYTES) throw new Error('a frame has no data');
      control = data;
    } else if (type === 'IDAT' && images.length <= 1) {
      if (images.length === 0) images.push({ control, data: [] });
      images[0]!.data.push(data);
      control = null;
    } else if (type === 'fdAT') {
      if (control !== null) images.push({ control, data: [] });
      if (images.length < 2 || data.length < 4) throw new Error('a frame stands at a wrong place');
      images.at(-1)!.data.push(data.subarray(4));
      control = null;
    }
  }
  if (images.length === 0) throw new Error('the PNG has no image');
  return images;
}

/** The size of a frame, which must lie within the image. */
function frameSize(control: Buffer, { width, height }: ImageHeader): Pick<ImageHeader, 'width' | 'height'> {
  const [frameWidth, frameHeight, x, y] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at)) as Rectangle;
  if (frameWidth < 1 || frameHeight < 1 || x + frameWidth > width || y + frameHeight > height)
    throw new Error('a frame exceeds the image');
  return { width: frameWidth, height: frameHeight };
}

type Rectangle = [width: number, height: number, x: number, y: number];

function animationControl(chunks: readonly PngChunk[], frames: number): PngChunk {
  const data = Buffer.alloc(8);
  data.writeUInt32BE(frames, 0);
  // The number of repetitions.
  chunks.find(({ type }) => type === 'acTL')!.data.copy(data, 4, 4, 8);
  return { type: 'acTL', data };
}

/** Palette and transparent colour. */
function paletteOf(chunks: readonly PngChunk[]): PngChunk[] {
  return ['PLTE', 'tRNS'].flatMap((wanted) => {
    const found = chunks.find(({ type }) => type === wanted);
    if (found !== undefined && found.data.length > 768) throw new Error('the palette is too long');
    return found ?? [];
  });
}

function numbered(sequence: number, data: Buffer): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(sequence, 0);
  return Buffer.concat([number, data]);
}

/** The fields of IHDR. */
interface ImageHeader {
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
function readHeader(chunk: PngChunk | undefined): ImageHeader {
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
const scanlineBytes = (header: ImageHeader): number =>
  passesOf(header).reduce((sum, { rows, stride }) => sum + rows * stride, 0);

/** @throws Error unless the decompressed image has the size of the header and valid filters */
function requireScanlines(scanlines: Buffer, header: ImageHeader): void {
  if (scanlines.length !== scanlineBytes(header)) throw new Error('an image of the PNG has a wrong size');
  let at = 0;
  for (const { rows, stride } of passesOf(header)) {
    for (let row = 0; row < rows; row += 1, at += stride) {
      if (scanlines[at]! > MAX_FILTER) throw new Error('an image of the PNG has an unknown filter');
    }
  }
}
