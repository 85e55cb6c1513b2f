import { JSONParser } from '@streamparser/json';
import { Slices } from '../system/slices.js';

/** Bytes that are parsed without a look at the clock: about 5 ms for the slowest JSON, a list of numbers. */
const PIECE_BYTES = 8 * 1024;

/** Longest text that the parser collects before it decodes it, bytes. */
const TEXT_BYTES = 64 * 1024;

/**
 * Parses large JSON while it arrives, in slices. `JSON.parse` would hold the event loop for 0.2 s with a body of 32 MB.
 * `@streamparser/json`: MIT, no dependencies, maintained; it is the fastest one that keeps texts whole.
 */
export class StreamedJson {
  private value: unknown;
  private readonly parser = new JSONParser({ paths: ['$'], stringBufferSize: TEXT_BYTES });
  private readonly slices = new Slices();

  constructor() {
    this.parser.onValue = ({ value }) => {
      this.value = value;
    };
  }

  /** @throws Error for what is no JSON */
  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.parser.write(bytes.subarray(at, at + PIECE_BYTES));
      await this.slices.pause();
    }
  }

  /** The value. @throws Error when it is incomplete */
  end(): unknown {
    if (!this.parser.isEnded) this.parser.end();
    if (this.value === undefined) throw new SyntaxError('The JSON is empty');
    return this.value;
  }
}
