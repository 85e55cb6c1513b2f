import type { Readable } from 'node:stream';
import { none } from 'stream-chain/defs.js';
import gen from 'stream-chain/gen.js';
import pick from 'stream-json/filters/pick.js';
import parser from 'stream-json/parser.js';
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

/** Exports that are one object of any size begin with this key. The elements of some of its lists are read one by one. */
const FIRST_KEY = /^\{\s*"(account|threads|conversations)"\s*:/;
const LISTS: Record<string, readonly unknown[]> = {
  // This product's export of an account, and a thread in its archive.
  account: ['threads', 'messages'],
  threads: ['threads', 'messages'],
  conversations: ['conversations'],
};

/** Bytes of a text that contain its first key. */
const BEGINNING_BYTES = 64;

/** An element of a list, or of the lists of an account's export. Null for one that exceeds a bound. */
export type Element = { value: unknown } | { accountPart: unknown } | null;

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

  /** @param level of the elements: 1 in a list, else 0 */
  constructor(
    readonly level: number,
    private readonly isAccount: boolean,
  ) {
    this.completed = -level;
  }

  /** Called between two elements. */
  restart(): void {
    this.startedAt = this.total;
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
      this.restart();
    }
    if (depth === this.level) this.completed += 1;
    if (depth <= this.level) this.restart();
    if (this.total - this.startedAt <= MAX_ELEMENT_BYTES && depth <= MAX_DEPTH) return undefined;
    this.isSkipping = true;
    this.skippedAfter.push(this.completed);
    return false;
  };

  /** The next element behind the skipped ones before it. */
  *inOrder(item: Item): Generator<Element> {
    yield* this.skipped();
    this.emitted += 1;
    yield this.isAccount ? { accountPart: item.value } : { value: item.value };
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

function trimmedStart(bytes: Buffer): Buffer {
  const start = bytes.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
  const at = bytes.findIndex((byte, index) => index >= start && !BLANKS.includes(byte));
  return at === -1 ? Buffer.alloc(0) : bytes.subarray(at);
}

/**
 * Drops the blanks and the byte order mark before a JSON value. The first piece of a text that is not a list has at least
 * BEGINNING_BYTES, unless the text is shorter.
 */
async function* withoutBlanks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let beginning: Buffer | null = Buffer.alloc(0);
  for await (const piece of source) {
    if (beginning === null) {
      yield piece;
      continue;
    }
    beginning = trimmedStart(Buffer.concat([beginning, piece]));
    if (beginning.length < BEGINNING_BYTES && beginning[0] !== LIST_START) continue;
    yield beginning;
    beginning = null;
  }
  if (beginning !== null && beginning.length > 0) yield beginning;
}

/**
 * Streams the elements of a JSON list or of the lists of an object that begins with FIRST_KEY, or the one value of other
 * JSON text. Only one element is in memory at a time.
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
  let reading: Reading | null = null;
  for await (const bytes of withoutBlanks(pieces(source))) {
    reading ??= readingOf(bytes);
    reading.guard.count(bytes.length);
    for await (const item of reading.parse(bytes)) yield* reading.guard.inOrder(item);
  }
  if (reading === null) return;
  for await (const item of reading.parse(none)) yield* reading.guard.inOrder(item);
  yield* reading.guard.skipped();
}

interface Reading {
  guard: ElementGuard;
  /** Returns the elements that end in a piece; `none` ends the text. */
  parse: (piece: Buffer | typeof none) => AsyncIterable<Item>;
}

/** Chooses the elements by the beginning of a text. */
function readingOf(beginning: Buffer): Reading {
  const [, key = ''] = FIRST_KEY.exec(beginning.toString('latin1', 0, BEGINNING_BYTES)) ?? [];
  const guard = new ElementGuard(beginning[0] === LIST_START ? 1 : 0, key === 'account' || key === 'threads');
  return { guard, parse: parserOf(guard, LISTS[key]) as Reading['parse'] };
}

function parserOf(guard: ElementGuard, lists: readonly unknown[] | undefined): unknown {
  const options = { objectFilter: guard.filter, includeUndecided: true, streamValues: false };
  if (lists === undefined)
    return guard.level === 1 ? streamArray.withParser(options) : streamValues.withParser(options);
  const filter = (path: readonly unknown[]): boolean => {
    if (path.length <= 2) guard.restart();
    return path.length === 2 && lists.includes(path[0]);
  };
  return gen(parser(options), pick({ ...options, filter }), streamValues(options));
}
