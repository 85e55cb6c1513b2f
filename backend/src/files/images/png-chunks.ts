import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length, type and checksum of a chunk. */
const OVERHEAD = 12;

export interface PngChunk {
  type: string;
  data: Buffer;
}

/**
 * Reads the chunks of a PNG up to IEND; bytes behind it are left out.
 * @throws Error for a wrong signature, length or checksum, and without IEND
 */
export function readChunks(png: Buffer): PngChunk[] {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('the file is not a PNG');
  const chunks: PngChunk[] = [];
  for (let at = SIGNATURE.length; ;) {
    if (at + OVERHEAD > png.length) throw new Error('the PNG is cut short');
    const end = at + OVERHEAD + png.readUInt32BE(at);
    if (end > png.length) throw new Error('a chunk of the PNG is cut short');
    const checked = png.subarray(at + 4, end - 4);
    if (crc32(checked) !== png.readUInt32BE(end - 4)) throw new Error('a chunk of the PNG has a wrong checksum');
    const chunk = { type: checked.toString('latin1', 0, 4), data: checked.subarray(4) };
    chunks.push(chunk);
    if (chunk.type === 'IEND') return chunks;
    at = end;
  }
}

export function writeChunks(chunks: readonly PngChunk[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks.flatMap(encode)]);
}

function encode({ type, data }: PngChunk): Buffer[] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return [head, data, checksum];
}
