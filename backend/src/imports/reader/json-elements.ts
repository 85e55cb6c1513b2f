import type { Readable } from 'node:stream';
import { none } from 'stream-chain/defs.js';
import streamArray from 'stream-json/streamers/stream-array.js';
import streamValues from 'stream-json/streamers/stream-values.js';
import { UnreadableExport } from './unreadable-export.js';

/** A larger element is left out, bytes. */
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024;

/** Reading ends at a larger element: the parser keeps a long string in memory although its element is left out. */
const MAX_SKIPPED_BYTES = 2 * MAX_ELEMENT_BYTES;

/** Levels of nested objects and lists. Recursive exports have two levels for each message. */
const MAX_DEPTH = 20_000;

const PIECE_BYTES = 8 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const BLANKS = Buffer.from(' \t\r\n');
const LIST_START = '['.charCodeAt(0);

/** An element, or null for one that exceeds a bound. */
export type Element = { value: unknown } | null;

interface Item {
  value: unknown;
}

/** Bounds the current element, and counts the elements in their order. */
class ElementGuard {
  private total = 0;
  private startedAt = 0;
  private isSkipping = false;
  /** Elements that were read. The begin of a list is on the level of its elements. */
  private completed: number;
  /** Numbers of elements that were read before each skipped one. */
  private readonly skippedAfter: number[] = [];
  private emitted = 0;

  constructor(readonly level: number) {
    this.completed = -level;
  }

  /** @throws UnreadableExport */
  count(bytes: number): void {
    this.total += bytes;
    if (this.total - this.startedAt > MAX_SKIPPED_BYTES) throw new UnreadableExport('too-large');
  }

  /** Called at each token of an element, until it returns false for the rest of the element. */
  readonly filter = ({ depth }: { depth: number }): boolean | undefined => {
    if (this.isSkipping) {
      this.isSkipping = false;
      this.startedAt = this.total;
    }
    if (depth === this.level) this.completed += 1;
    if (depth <= this.level) this.startedAt = this.total;
    if (this.total - this.startedAt <= MAX_ELEMENT_BYTES && depth <= MAX_DEPTH) return undefined;
    this.isSkipping = true;
    this.skippedAfter.push(this.completed);
    return false;
  };

  /** The next element behind the skipped ones before it. */
  *inOrder(item: Item): Generator<Element> {
    yield* this.skipped();
    this.emitted += 1;
    yield { value: item.value };
  }

  /** The skipped elements whose place has been reached. */
  *skipped(): Generator<null> {
    while (this.skippedAfter.length > 0 && this.skippedAfter[0]! <= this.emitted) {
      this.skippedAfter.shift();
      yield null;
    }
  }
}

/** Splits a source into small pieces: the elements in a piece with a syntax error are lost. */
async function* pieces(source: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** Drops the blanks and the byte order mark before a JSON value. */
class Beginning {
  private held = Buffer.alloc(0);
  private isAtMark = true;

  /** @returns the bytes from the first character on; null while all are blank */
  add(piece: Buffer): Buffer | null {
    const bytes = Buffer.concat([this.held, piece]);
    // The mark may be split between two pieces.
    if (this.isAtMark && bytes.length < BYTE_ORDER_MARK.length) {
      this.held = bytes;
      if (BYTE_ORDER_MARK.indexOf(bytes) === 0) return null;
    }
    const start = this.isAtMark && bytes.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
    this.isAtMark = false;
    this.held = Buffer.alloc(0);
    const at = bytes.findIndex((byte, index) => index >= start && !BLANKS.includes(byte));
    return at < 0 ? null : bytes.subarray(at);
  }
}

/**
 * Streams the elements of a JSON list, or the one value of other JSON text. Only one element is in memory at a time.
 * @throws UnreadableExport for text that is not JSON, and for an element above the bounds of memory
 */
export async function* jsonElements(source: Readable): AsyncGenerator<Element> {
  try {
    yield* elementsOf(source);
  } catch (error) {
    throw error instanceof UnreadableExport ? error : new UnreadableExport('broken', { cause: error });
  } finally {
    source.destroy();
  }
}

async function* elementsOf(source: Readable): AsyncGenerator<Element> {
  const beginning = new Beginning();
  let guard: ElementGuard | null = null;
  let parse: Parse | null = null;
  for await (const piece of pieces(source)) {
    const bytes: Buffer | null = parse === null ? beginning.add(piece) : piece;
    if (bytes === null) continue;
    guard ??= new ElementGuard(bytes[0] === LIST_START ? 1 : 0);
    parse ??= parserOf(guard);
    guard.count(bytes.length);
    for await (const item of parse(bytes)) yield* guard.inOrder(item);
  }
  if (guard === null || parse === null) return;
  for await (const item of parse(none)) yield* guard.inOrder(item);
  yield* guard.skipped();
}

/** Returns the elements that end in a piece; `none` ends the text. */
type Parse = (piece: Buffer | typeof none) => AsyncIterable<Item>;

function parserOf(guard: ElementGuard): Parse {
  const options = { objectFilter: guard.filter, includeUndecided: true, streamValues: false };
  const parse = guard.level === 1 ? streamArray.withParser(options) : streamValues.withParser(options);
  return parse as unknown as Parse;
}
