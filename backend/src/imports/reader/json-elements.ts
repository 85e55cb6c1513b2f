import type { Readable } from 'node:stream';
import { none } from 'stream-chain/defs.js';
import gen from 'stream-chain/gen.js';
import pick from 'stream-json/filters/pick.js';
import parser, { type Token } from 'stream-json/parser.js';
import streamArray from 'stream-json/streamers/stream-array.js';
import streamValues from 'stream-json/streamers/stream-values.js';
import { fieldsOf, titleIn } from './fields.js';
import { UnreadableExport } from './unreadable-export.js';

/** A larger element is left out, bytes. */
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024;

/** Keys, values, and begins and ends of objects and lists of one element: small ones take far more memory than bytes. */
const MAX_TOKENS = 2_500_000;

/** Reading ends at a longer string: the parser keeps it in memory although its element is left out. */
const MAX_STRING_BYTES = 2 * MAX_ELEMENT_BYTES;

/** Levels of nested objects and lists. Recursive exports have two levels for each message. */
const MAX_DEPTH = 20_000;

const PIECE_BYTES = 8 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const BLANKS = Buffer.from(' \t\r\n');
const LIST_START = '['.charCodeAt(0);

/** Exports that are one object of any size begin with this key. The elements of some of its lists are read one by one. */
const FIRST_KEY = /^\{\s*"(account|threads|conversations|data(?="\s*:\s*\{\s*"chats"\s*:))"\s*:/;
const LISTS: Record<string, readonly string[][]> = {
  // This product's export of an account, and a thread in its archive.
  account: [['threads'], ['messages']],
  threads: [['threads'], ['messages']],
  conversations: [['conversations']],
  // TypingMind
  data: [['data', 'chats']],
};

/** Bytes of a text that contain its first key. */
const BEGINNING_BYTES = 64;

/** An element of a list, or of the lists of an account's export; of one that exceeds a bound its title alone. */
export type Element = { value: unknown } | { accountPart: unknown } | { leftOut: string };

interface Item {
  value: unknown;
}

/** What is read of the text so far. */
interface Reading {
  depth: number;
  /** The values around the current one, each followed by its key. */
  stack: readonly unknown[];
  current: unknown;
}

/** Bounds the current element, and counts the elements in their order. */
class ElementGuard {
  private total = 0;
  private startedAt = 0;
  private tokens = 0;
  private lastTokenAt = 0;
  private isSkipping = false;
  /** Elements that were read. The begin of a list is on the level of its elements. */
  private completed: number;
  /** Skipped elements, each with the number of those that were read before. */
  private readonly leftOut: { after: number; title: string }[] = [];
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
    this.tokens = 0;
  }

  /** @throws UnreadableExport */
  count(bytes: number): void {
    this.total += bytes;
    if (this.total - this.lastTokenAt > MAX_STRING_BYTES) throw new UnreadableExport('too-large');
  }

  /** Called at each token of the text, those of skipped elements included. */
  readonly seen = (token: Token): Token => {
    this.lastTokenAt = this.total;
    return token;
  };

  /** Called at each token of an element, until it returns false for the rest of the element. */
  readonly filter = (reading: Reading): boolean | undefined => {
    const { depth } = reading;
    if (this.isSkipping) {
      this.isSkipping = false;
      this.restart();
    }
    if (depth === this.level) this.completed += 1;
    if (depth <= this.level) this.restart();
    this.tokens += 1;
    const isSmall = this.total - this.startedAt <= MAX_ELEMENT_BYTES && this.tokens <= MAX_TOKENS;
    if (isSmall && depth <= MAX_DEPTH) return undefined;
    this.isSkipping = true;
    this.leftOut.push({ after: this.completed, title: this.titleOf(reading) });
    return false;
  };

  /** The title of the element that is being read, if it has come already; '' otherwise. */
  private titleOf({ stack, current }: Reading): string {
    return titleIn(fieldsOf(stack.length > 2 * this.level ? stack[2 * this.level] : current));
  }

  /** The next element behind the skipped ones before it. */
  *inOrder(item: Item): Generator<Element> {
    yield* this.skipped();
    this.emitted += 1;
    yield this.isAccount ? { accountPart: item.value } : { value: item.value };
  }

  /** The skipped elements whose place has been reached. */
  *skipped(): Generator<Element> {
    while (this.leftOut.length > 0 && this.leftOut[0]!.after <= this.emitted) {
      yield { leftOut: this.leftOut.shift()!.title };
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
  let elements: Elements | null = null;
  for await (const bytes of withoutBlanks(pieces(source))) {
    elements ??= elementsIn(bytes);
    elements.guard.count(bytes.length);
    for await (const item of elements.parse(bytes)) yield* elements.guard.inOrder(item);
  }
  if (elements === null) return;
  for await (const item of elements.parse(none)) yield* elements.guard.inOrder(item);
  yield* elements.guard.skipped();
}

interface Elements {
  guard: ElementGuard;
  /** Returns the elements that end in a piece; `none` ends the text. */
  parse: (piece: Buffer | typeof none) => AsyncIterable<Item>;
}

/** Chooses the elements by the beginning of a text. */
function elementsIn(beginning: Buffer): Elements {
  const [, key = ''] = FIRST_KEY.exec(beginning.toString('latin1', 0, BEGINNING_BYTES)) ?? [];
  const guard = new ElementGuard(beginning[0] === LIST_START ? 1 : 0, key === 'account' || key === 'threads');
  return { guard, parse: parserOf(guard, LISTS[key]) as Elements['parse'] };
}

function parserOf(guard: ElementGuard, lists: readonly string[][] | undefined): unknown {
  const options = { objectFilter: guard.filter, includeUndecided: true, streamValues: false };
  if (lists === undefined && guard.level === 1) return gen(parser(options), guard.seen, streamArray(options));
  if (lists === undefined) return gen(parser(options), guard.seen, streamValues(options));
  const filter = (path: readonly unknown[]): boolean => {
    const depth = path.length - 1;
    if (depth <= lists[0]!.length) guard.restart();
    return lists.some((list) => list.length === depth && list.every((key, at) => path[at] === key));
  };
  return gen(parser(options), guard.seen, pick({ ...options, filter }), streamValues(options));
}
