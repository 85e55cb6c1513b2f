import { isUtf8 } from 'node:buffer';
import { JSONParser } from '@streamparser/json';
import { Slices } from '../system/slices.js';

/** Bytes that are parsed without a look at the clock: about 5 ms for the slowest JSON, a list of numbers. */
const PIECE_BYTES = 8 * 1024;

/** Longest text that the parser collects before it decodes it, bytes. */
const TEXT_BYTES = 64 * 1024;

/**
 * Parses large JSON while it arrives, in slices. Bytes that are not UTF-8 become U+FFFD, as in a small body. `JSON.parse` would hold the event loop for 0.2 s with a body of 32 MB.
 * `@streamparser/json`: MIT, no dependencies, maintained; it is the fastest one that keeps texts whole.
 */
export class StreamedJson {
  private value: unknown;
  private readonly parser = new JSONParser({ paths: ['$'], stringBufferSize: TEXT_BYTES });
  private readonly slices = new Slices();
  /** The beginning of a character that the end of a piece has cut. */
  private cut: Buffer = Buffer.alloc(0);

  constructor() {
    this.parser.onValue = ({ value }) => {
      this.value = value;
    };
  }

  /** @throws Error for text that is not JSON */
  async write(piece: Buffer): Promise<void> {
    const bytes = this.repaired(piece);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.parser.write(bytes.subarray(at, at + PIECE_BYTES));
      await this.slices.pause();
    }
  }

  /** The value. @throws Error when it is incomplete */
  end(): unknown {
    if (this.cut.length > 0) this.parser.write(Buffer.from(this.cut.toString()));
    if (!this.parser.isEnded) this.parser.end();
    if (this.value === undefined) throw new SyntaxError('The JSON is empty');
    return this.value;
  }

  private repaired(piece: Buffer): Buffer {
    const bytes = this.cut.length === 0 ? piece : Buffer.concat([this.cut, piece]);
    const end = bytes.length - cutBytes(bytes);
    this.cut = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    return isUtf8(whole) ? whole : Buffer.from(whole.toString());
  }
}

/** Bytes at the end that may begin a character. */
function cutBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count]!;
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (isContinuation) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > count ? count : 0;
  }
  return 0;
}
