import { createEventParser } from '../../platform/net/event-parser.js';
import { LineEnds } from '../../platform/net/line-ends.js';
import { Slices } from '../../platform/system/slices.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import type { ServerExchange } from './server-exchange.js';

/** Bytes before the address for messages, and those that no request waits for. */
const MAX_OPENING = 64 * 1024;
const MAX_UNASKED = 1024 * 1024;

/** What is no name of an event and yet an address, as of servers that leave the name out. */
const IS_ADDRESS = /^(?:\/|https?:\/\/)\S*$/;

/**
 * The stream of a server of 2024, which speaks in two addresses: the first event names the one for messages, and the answers to
 * all of them follow. It is open as long as its session.
 */
export class SharedStream {
  private readonly readers = new Set<SharedAnswer>();
  private unasked = 0;
  private isOver = false;

  private constructor(
    /** Where messages are sent. */
    readonly endpoint: URL,
    private readonly bytes: AsyncIterator<Buffer, unknown>,
  ) {
    void this.pass();
  }

  /**
   * Waits for the address for messages.
   * @param bytes of the stream
   * @param url of the stream, in whose origin the address is: the server gets the headers of this one alone, and behind a proxy
   *   it may not know its own name
   * @throws OutboundFailure for a stream without an address
   */
  static async open(bytes: AsyncIterable<Buffer>, url: URL): Promise<SharedStream> {
    const iterator = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, unknown>;
    let address: string | null = null;
    const parser = createEventParser({
      onEvent: ({ event = '', data }) => {
        if (event === 'endpoint' || IS_ADDRESS.test(data)) address ??= data.trim();
      },
    });
    const lineEnds = new LineEnds();
    for (let length = 0; address === null && length <= MAX_OPENING;) {
      const { done, value } = await iterator.next();
      if (done) break;
      length += value.length;
      parser.feed(lineEnds.pass(value.toString('latin1').replace(/^\u00EF\u00BB\u00BF/, '')));
    }
    if (address === null || !URL.canParse(address, url.href)) {
      void iterator.return?.();
      throw new OutboundFailure('invalid_answer');
    }
    const { pathname, search } = new URL(address, url);
    const endpoint = new URL(url.origin);
    // As a text, a path that begins with two slashes would name another origin.
    endpoint.pathname = pathname;
    endpoint.search = search;
    return new SharedStream(endpoint, iterator);
  }

  /** Whether the server has ended the stream, and with it the session. */
  get hasEnded(): boolean {
    return this.isOver;
  }

  /** What arrives from now on, counted for an exchange. */
  read(exchange: ServerExchange): SharedAnswer {
    const answer = new SharedAnswer(exchange, (done) => this.readers.delete(done));
    if (this.isOver) answer.end();
    else this.readers.add(answer);
    return answer;
  }

  private async pass(): Promise<void> {
    const slices = new Slices();
    try {
      for (;;) {
        const { done, value } = await this.bytes.next();
        if (done) break;
        this.unasked = this.readers.size === 0 ? this.unasked + value.length : 0;
        if (this.unasked > MAX_UNASKED) {
          await this.bytes.return?.();
          break;
        }
        for (const reader of this.readers) reader.push(value);
        await slices.pause();
      }
    } catch {
      // Its readers learn that it is over.
    }
    this.isOver = true;
    for (const reader of this.readers) reader.end();
  }
}

/** The bytes of a shared stream for one exchange. */
export class SharedAnswer {
  private readonly chunks: Buffer[] = [];
  private isOver = false;
  private wake = (): void => undefined;

  constructor(
    private readonly exchange: ServerExchange,
    private readonly leave: (answer: SharedAnswer) => void,
  ) {
    exchange.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Too many bytes fail the exchange when they arrive: what is not read yet takes memory. */
  push(chunk: Buffer): void {
    try {
      this.exchange.countBytes(chunk.length, 'decoded');
    } catch {
      // The exchange has failed, and ends this answer.
      return;
    }
    this.chunks.push(chunk);
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  /** Reads no more of the stream. */
  close(): void {
    this.leave(this);
    this.end();
  }

  async *bytes(): AsyncGenerator<Buffer, undefined> {
    const slices = new Slices();
    for (;;) {
      const chunk = this.chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.isOver) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
      await slices.pause();
    }
  }
}
