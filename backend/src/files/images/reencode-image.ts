import sharp, { type Metadata, type Sharp } from 'sharp';
import { isAnimatedPng, reencodeAnimatedPng } from './animated-png.js';
import type { ImageFormat } from './image-task.js';
import { TooManyPixels } from './too-many-pixels.js';

const MAX_FRAMES = 1000;

/** Bytes of the result. Lossless formats can grow: the encoder of the upload may have compressed better. */
const MAX_ENCODED_BYTES = 20 * 1024 * 1024;

const QUALITY = 85;

// The process encodes one image and exits: one thread, no cache, and decoders of the four accepted formats alone.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
});

/** Truncated and corrupt images are errors; deviations that browsers accept are not. */
const INPUT = { failOn: 'error' } as const;

/**
 * Decodes an image and encodes it again in its format. The result has the pixels, frames and transparency of the original
 * in its EXIF orientation, in sRGB, and no metadata (EXIF, GPS, XMP, comments, colour profile) or trailing bytes.
 * @param maxPixels of all frames together
 * @throws TooManyPixels; Error when the image is not of the format, cannot be decoded or exceeds another bound
 */
export async function reencodeImage(bytes: Buffer, format: ImageFormat, maxPixels: number): Promise<Buffer> {
  const metadata = await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata();
  if (metadata.format !== format) throw new Error(`the image is ${metadata.format}, not ${format}`);
  if (format === 'png' && isAnimatedPng(bytes))
    return reencodeAnimatedPng(bytes, { maxFrames: MAX_FRAMES, maxPixels, maxBytes: MAX_ENCODED_BYTES });
  const frames = metadata.pages ?? 1;
  const pixels = metadata.width * (metadata.pageHeight ?? metadata.height) * frames;
  if (pixels > maxPixels) throw new TooManyPixels(pixels);
  if (frames > MAX_FRAMES) throw new Error(`${frames} frames are too many`);
  const isAnimated = frames > 1;
  const image = sharp(bytes, { ...INPUT, limitInputPixels: maxPixels, animated: isAnimated });
  const encoded = await encode(isAnimated ? image : image.autoOrient(), metadata).toBuffer();
  if (encoded.length > MAX_ENCODED_BYTES) throw new Error(`${encoded.length} encoded bytes are too many`);
  return encoded;
}

/** Size before speed only where it costs little: re-encoding is part of the upload request. */
function encode(image: Sharp, { format, chromaSubsampling, isProgressive }: Metadata): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({
        quality: QUALITY,
        progressive: isProgressive,
        chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0',
      });
    case 'gif':
      return image.gif({ effort: 3, keepDuplicateFrames: true });
    case 'webp':
      return image.webp({ quality: QUALITY, effort: 2 });
    default:
      return image.png();
  }
}
