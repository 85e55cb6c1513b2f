import { deflateSync, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { isAnimatedPng, reencodeAnimatedPng } from './animated-png.js';
import { type PngChunk, readChunks, writeChunks } from './png-chunks.js';
import { reencodeImage } from './reencode-image.js';
import { TooManyPixels } from './too-many-pixels.js';

const BOUNDS = { maxFrames: 10, maxPixels: 1_000, maxBytes: 10_000 };

const SIDE = 4;

interface Frame {
  width: number;
  height: number;
  shade: number;
}

const FRAMES: Frame[] = [
  { width: SIDE, height: SIDE, shade: 1 },
  { width: 2, height: 3, shade: 2 },
  { width: 1, height: 1, shade: 3 },
];

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

/** RGBA rows without filter. */
const scanlinesOf = ({ width, height, shade }: Frame): Buffer =>
  Buffer.concat(Array.from({ length: height }, () => Buffer.from([0, ...Array<number>(width * 4).fill(shade)])));

const HEADER: PngChunk = { type: 'IHDR', data: Buffer.concat([numbers(SIDE, SIDE), Buffer.from([8, 6, 0, 0, 0])]) };

/** A frame's control chunk: its place, a delay of 1/10 s, drawn over the frame before. */
const control = (sequence: number, { width, height }: Frame): PngChunk => ({
  type: 'fcTL',
  data: Buffer.concat([numbers(sequence, width, height, 0, 0), Buffer.from([0, 1, 0, 10, 0, 1])]),
});

const dataOf = (sequence: number, scanlines: Buffer): PngChunk =>
  sequence === 0
    ? { type: 'IDAT', data: deflateSync(scanlines) }
    : { type: 'fdAT', data: Buffer.concat([numbers(sequence), deflateSync(scanlines)]) };

function animation(frames: Frame[] = FRAMES, more: PngChunk[] = []): Buffer {
  let sequence = 0;
  const drawn = frames.flatMap((frame, index) => {
    const place = control(sequence++, frame);
    return [place, dataOf(index === 0 ? 0 : sequence++, scanlinesOf(frame))];
  });
  const start = { type: 'acTL', data: numbers(frames.length, 5) };
  return writeChunks([HEADER, start, ...more, ...drawn, { type: 'IEND', data: Buffer.alloc(0) }]);
}

const typesOf = (png: Buffer) => readChunks(png).map(({ type }) => type);

it('keeps frames, timing and repetitions, and removes metadata (UP-2)', async () => {
  const canary = Buffer.from('Comment\0CANARY');
  const profile = Buffer.from('name\0\0CANARY');
  const more = [
    { type: 'tEXt', data: canary },
    { type: 'eXIf', data: canary },
    { type: 'iCCP', data: profile },
  ];
  const png = Buffer.concat([animation(FRAMES, more), Buffer.from('<script>CANARY</script>')]);
  const encoded = await reencodeImage(png, 'png', BOUNDS.maxPixels);
  expect(encoded.toString('latin1')).not.toContain('CANARY');
  expect(typesOf(encoded)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND']);
  const [, animated, ...chunks] = readChunks(encoded);
  expect(animated?.data).toEqual(numbers(FRAMES.length, 5));
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
  expect(controls).toEqual([control(0, FRAMES[0]!), control(1, FRAMES[1]!), control(3, FRAMES[2]!)].map((c) => c.data));
  const pixels = chunks
    .filter(({ type }) => type === 'IDAT' || type === 'fdAT')
    .map(({ type, data }) => inflateSync(type === 'IDAT' ? data : data.subarray(4)));
  expect(pixels).toEqual(FRAMES.map(scanlinesOf));
});

it('keeps a still image that is not part of the animation', async () => {
  const still: PngChunk = { type: 'IDAT', data: deflateSync(scanlinesOf(FRAMES[0]!)) };
  const [ihdr, start, , , ...frames] = readChunks(animation([FRAMES[0]!, ...FRAMES]));
  const encoded = await reencodeAnimatedPng(writeChunks([ihdr!, start!, still, ...frames]), BOUNDS);
  expect(typesOf(encoded).slice(0, 5)).toEqual(['IHDR', 'acTL', 'IDAT', 'fcTL', 'fdAT']);
  expect(readChunks(encoded)[1]?.data.readUInt32BE(0)).toBe(FRAMES.length);
});

it('keeps interlaced frames', async () => {
  const background = { r: 9, g: 9, b: 9, alpha: 0.5 };
  const still = await sharp({ create: { width: SIDE, height: SIDE, channels: 4, background } })
    .png({ progressive: true })
    .toBuffer();
  const [ihdr, idat] = ['IHDR', 'IDAT'].map((wanted) => readChunks(still).find(({ type }) => type === wanted)!);
  expect(ihdr!.data.at(-1)).toBe(1);
  const second = FRAMES[2]!;
  const frames = [control(0, FRAMES[0]!), idat!, control(1, second), dataOf(2, scanlinesOf(second))];
  const end = { type: 'IEND', data: Buffer.alloc(0) };
  const start = { type: 'acTL', data: numbers(2, 0) };
  const encoded = await reencodeAnimatedPng(writeChunks([ihdr!, start, ...frames, end]), BOUNDS);
  const kept = readChunks(encoded).find(({ type }) => type === 'IDAT')!;
  expect(inflateSync(kept.data)).toEqual(inflateSync(idat!.data));
});

it('recognizes animated PNGs alone', () => {
  expect(isAnimatedPng(animation())).toBe(true);
  expect(isAnimatedPng(animation(FRAMES.slice(0, 1)))).toBe(false);
  expect(isAnimatedPng(Buffer.from('GIF89a'))).toBe(false);
});

const tooLong = Buffer.concat([scanlinesOf(FRAMES[0]!), Buffer.alloc(1)]);
const replaced = (type: string, data: Buffer): Buffer =>
  writeChunks(readChunks(animation()).map((chunk) => (chunk.type === type ? { type, data } : chunk)));

it.each<[string, Buffer]>([
  ['too many frames', animation(Array<Frame>(11).fill(FRAMES[2]!))],
  ['too many pixels', animation([FRAMES[0]!, ...Array<Frame>(9).fill({ ...FRAMES[0]!, width: 40, height: 40 })])],
  ['an animation without frames', writeChunks(readChunks(animation()).filter(({ type }) => !/fcTL|fdAT/.test(type)))],
  ['a frame beyond the image', animation([FRAMES[0]!, { width: SIDE + 1, height: 1, shade: 0 }])],
  ['a frame without pixels', animation([FRAMES[0]!, { width: 0, height: 1, shade: 0 }])],
  ['a frame with more bytes than its size', replaced('IDAT', deflateSync(tooLong))],
  ['a frame with fewer bytes than its size', replaced('IDAT', deflateSync(Buffer.alloc(3)))],
  ['an unknown filter', replaced('IDAT', deflateSync(scanlinesOf(FRAMES[0]!).fill(9, 0, 1)))],
  ['data that is not compressed', replaced('IDAT', Buffer.from('<script>alert(1)</script>'))],
  ['an unknown colour type', replaced('IHDR', Buffer.concat([numbers(SIDE, SIDE), Buffer.from([8, 5, 0, 0, 0])]))],
])('refuses %s (UP-2, UP-8)', async (_, png) => {
  await expect(reencodeAnimatedPng(png, BOUNDS)).rejects.toThrow();
});

it('names an excess of pixels', async () => {
  await expect(reencodeAnimatedPng(animation(), { ...BOUNDS, maxPixels: 10 })).rejects.toThrow(TooManyPixels);
});

it('refuses a result beyond the bound', async () => {
  await expect(reencodeAnimatedPng(animation(), { ...BOUNDS, maxBytes: 20 })).rejects.toThrow('too many');
});
