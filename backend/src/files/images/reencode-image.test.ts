import sharp, { type Sharp } from 'sharp';
import { reencodeImage } from './reencode-image.js';
import { TooManyPixels } from './too-many-pixels.js';

const MAX_PIXELS = 1_000_000;

type Format = Parameters<typeof reencodeImage>[1];

const RED = { r: 255, g: 0, b: 0, alpha: 1 };
const BLUE = { r: 0, g: 0, b: 255, alpha: 1 };

const plain = (width: number, height: number, background: object = RED) =>
  sharp({ create: { width, height, channels: 4, background } });

/** 40 × 20 pixels, the left half red and the right half blue. */
const halves = async () =>
  plain(40, 20).composite([{ input: await plain(20, 20, BLUE).png().toBuffer(), left: 20, top: 0 }]);

const FRAMES = 5;
const FRAME_SIDE = 8;

/** Frames of one shade of grey each; their first pixel is transparent. */
function animation(): Sharp {
  const frame = FRAME_SIDE * FRAME_SIDE * 4;
  const pixels = Buffer.alloc(FRAMES * frame, 255);
  for (let at = 0; at < FRAMES; at++) {
    for (let pixel = at * frame; pixel < (at + 1) * frame; pixel += 4) pixels.fill(at * 50, pixel, pixel + 3);
    pixels.fill(0, at * frame, at * frame + 4);
  }
  const raw = { width: FRAME_SIDE, height: FRAMES * FRAME_SIDE, channels: 4, pageHeight: FRAME_SIDE } as const;
  return sharp(pixels, { raw });
}

const FORMATS: Format[] = ['jpeg', 'png', 'gif', 'webp'];

const pixelOf = async (image: Buffer, left: number, top: number) => [
  ...(await sharp(image).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

it.each(FORMATS)('keeps format and dimensions of a %s', async (format) => {
  const encoded = await reencodeImage(await plain(30, 20).toFormat(format).toBuffer(), format, MAX_PIXELS);
  expect(await sharp(encoded).metadata()).toMatchObject({ format, width: 30, height: 20 });
});

it.each(['jpeg', 'png', 'webp'] as const)('removes EXIF, GPS, XMP and the colour profile of a %s', async (format) => {
  const image = await plain(30, 20)
    .withExif({ IFD0: { Make: 'CANARY-MAKE' }, IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '6/1 12/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><CANARY-XMP/></x:xmpmeta>')
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer();
  const before = await sharp(image).metadata();
  expect([before.exif, before.xmp, before.icc]).toEqual([expect.any(Buffer), expect.any(Buffer), expect.any(Buffer)]);
  const encoded = await reencodeImage(image, format, MAX_PIXELS);
  const after = await sharp(encoded).metadata();
  expect([after.exif, after.xmp, after.icc, after.iptc]).toEqual([undefined, undefined, undefined, undefined]);
  expect(encoded.toString('latin1')).not.toContain('CANARY');
});

it.each(['jpeg', 'webp'] as const)('applies the EXIF orientation of a %s', async (format) => {
  const image = await (await halves()).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
  const encoded = await reencodeImage(image, format, MAX_PIXELS);
  const { width, height, orientation } = await sharp(encoded).metadata();
  expect([width, height, orientation]).toEqual([20, 40, undefined]);
  const [top, bottom] = [await pixelOf(encoded, 10, 5), await pixelOf(encoded, 10, 35)];
  expect([top[0]! > 200, top[2]! < 50, bottom[0]! < 50, bottom[2]! > 200]).toEqual([true, true, true, true]);
});

it.each(['gif', 'webp'] as const)('keeps frames, delays, loop and transparency of an animated %s', async (format) => {
  const delay = [100, 200, 300, 400, 500];
  const image = await animation().toFormat(format, { delay, loop: 3 }).toBuffer();
  const encoded = await reencodeImage(image, format, MAX_PIXELS);
  expect(await sharp(encoded).metadata()).toMatchObject({ pages: FRAMES, delay, loop: 3, width: FRAME_SIDE });
  for (let page = 0; page < FRAMES; page++) {
    const frame = sharp(encoded, { page }).ensureAlpha().raw();
    const pixels = await frame.toBuffer();
    expect(pixels[3]).toBe(0);
    expect(pixels[pixels.length - 1]).toBe(255);
    expect(Math.abs(pixels[pixels.length - 2]! - page * 50)).toBeLessThan(12);
  }
});

it('keeps identical frames of an animation', async () => {
  const image = gifOf(3);
  expect(await sharp(await reencodeImage(image, 'gif', MAX_PIXELS)).metadata()).toMatchObject({ pages: 3 });
});

it.each(['png', 'webp'] as const)('keeps the transparency of a %s', async (format) => {
  const encoded = await reencodeImage(
    await plain(10, 10, { ...RED, alpha: 0.5 })
      .toFormat(format)
      .toBuffer(),
    format,
    MAX_PIXELS,
  );
  expect((await pixelOf(encoded, 5, 5))[3]).toBeCloseTo(128, -1);
});

it.each(FORMATS)('removes bytes behind the end of a %s (UP-2)', async (format) => {
  const image = await plain(10, 10).toFormat(format).toBuffer();
  const polyglot = Buffer.concat([image, Buffer.from('<script>alert(1)</script>')]);
  const encoded = await reencodeImage(polyglot, format, MAX_PIXELS).catch(() => Buffer.alloc(0));
  expect(encoded.includes('<script>')).toBe(false);
});

/** A GIF of black frames, 1 × 1 pixel each. */
function gifOf(frames: number): Buffer {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const frame = gif.subarray(19, -1);
  return Buffer.concat([gif.subarray(0, 19), ...Array.from({ length: frames }, () => frame), gif.subarray(-1)]);
}

/** A PNG that declares other dimensions than it has. */
async function pngDeclaring(width: number, height: number): Promise<Buffer> {
  const png = await plain(1, 1).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  const { crc32 } = await import('node:zlib');
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

const refused: [string, Format, () => Buffer | Promise<Buffer>][] = [
  ['a PNG of 50,000 × 50,000 pixels', 'png', () => pngDeclaring(50_000, 50_000)],
  ['a PNG without pixels', 'png', () => pngDeclaring(0, 1)],
  ['a PNG cut short', 'png', async () => (await plain(200, 200).png().toBuffer()).subarray(0, 60)],
  ['a JPEG cut short', 'jpeg', async () => (await plain(200, 200).jpeg().toBuffer()).subarray(0, 400)],
  ['a signature alone', 'png', async () => (await plain(1, 1).png().toBuffer()).subarray(0, 8)],
  ['a script with the signature of a GIF', 'gif', () => Buffer.from('GIF89a/*padding padding*/=1;alert(1);//')],
  ['an unknown kind of WebP', 'webp', () => Buffer.from('RIFF\x10\0\0\0WEBPnone padding padding padding', 'latin1')],
  ['an image of another format', 'png', () => plain(1, 1).jpeg().toBuffer()],
  ['an SVG', 'png', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['a TIFF', 'png', () => plain(1, 1).tiff().toBuffer()],
  ['an animation of 1,001 frames', 'gif', () => gifOf(1001)],
];

it.each(refused)('refuses %s (UP-2, UP-8)', async (_, format, image) => {
  await expect(reencodeImage(await image(), format, MAX_PIXELS)).rejects.toThrow();
});

it.each([
  ['a still image', 'jpeg', () => plain(1_001, 1_000).jpeg().toBuffer()],
  ['the frames of an animation together', 'gif', () => gifOf(11)],
] as [string, Format, () => Buffer | Promise<Buffer>][])(
  'refuses the pixels of %s (UP-8)',
  async (_, format, image) => {
    const maxPixels = format === 'gif' ? 10 : MAX_PIXELS;
    await expect(reencodeImage(await image(), format, maxPixels)).rejects.toThrow(TooManyPixels);
  },
);

it('survives corrupt bytes behind every signature (UP-8)', async () => {
  for (const format of FORMATS) {
    const image = await plain(9, 9).toFormat(format).toBuffer();
    for (let length = 0; length < 400; length += 37) {
      const corrupt = Buffer.concat([image.subarray(0, 12 + length), Buffer.alloc(length, length)]);
      await reencodeImage(corrupt, format, MAX_PIXELS).catch(() => undefined);
    }
  }
});
