import type { ElementContent, Root } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { ReactNode } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

/** Characters that one update reads: about 4 ms on a slow phone. */
const STEP = 4_000;
/** Characters that it reads where a comment, a string or a script is longer than that. */
const LONG_STEP = 16_000;
const SLOW_INTERVAL_MS = 300;
/** Characters of a finished piece, at least. */
const PIECE = 1_000;

/** Languages inside of HTML, with what ends them. */
const EMBEDDED: Partial<Record<string, RegExp>> = { javascript: /<\/script/i, css: /<\/style/i };

export type Highlight = (code: string, language: string) => Root;

interface Colours {
  nodes: ReactNode[];
  /** Whether all of the code has its colours; otherwise the rest is plain until further updates. */
  isComplete: boolean;
}

/** The code after the finished part, as far as it was read. */
interface Tail {
  nodes: ReactNode;
  length: number;
  /** Whether the finished part has become longer. */
  hasFinished: boolean;
}

/** Where the reading of code can begin anew: a line break outside of every string, comment and other element. */
interface Break {
  length: number;
  /** The language from there on. */
  language: string;
}

/**
 * Colours code that grows. Only the end of it is read and rendered again: the code before the last line break at which a
 * reader of the language can begin anew is finished.
 */
export class GrowingColours {
  private text = '';
  private finished: ReactNode[] = [];
  private finishedLength = 0;
  private current: string;
  /** The end of the code without a break in it, and when it was read. */
  private slow: { tail: Tail; readAt: number } | null = null;

  constructor(
    private readonly language: string,
    private readonly highlight: Highlight,
  ) {
    this.current = language;
  }

  /** Reads a bounded part of the code, so that a long one needs several updates. */
  update(code: string): Colours {
    if (!code.startsWith(this.text)) {
      this.finished = [];
      this.finishedLength = 0;
      this.current = this.language;
      this.slow = null;
    }
    this.text = code;
    const start = this.finishedLength;
    let tail = this.readOn();
    while (this.finishedLength + tail.length < code.length && this.finishedLength - start < STEP && tail.hasFinished) {
      tail = this.readOn();
    }
    const rest = code.slice(this.finishedLength + tail.length);
    return { nodes: [...this.finished, tail.nodes, rest], isComplete: rest === '' };
  }

  private readOn(): Tail {
    return this.read(STEP) ?? this.slowTail() ?? this.plain();
  }

  /** Reads a long part without a break, at intervals. */
  private slowTail(): Tail | null {
    const now = performance.now();
    if (this.slow && now - this.slow.readAt < SLOW_INTERVAL_MS) return this.slow.tail;
    const tail = this.read(LONG_STEP);
    this.slow = tail && !tail.hasFinished ? { tail, readAt: now } : null;
    return tail;
  }

  /** The colours of the code from the last break on; null if more of it has to be read for another break. */
  private read(length: number): Tail | null {
    const from = this.finishedLength;
    const whole = this.text.slice(from, from + length);
    const end = this.current === this.language ? -1 : whole.search(EMBEDDED[this.current]!);
    const isAtEnd = end === -1 && from + whole.length === this.text.length;
    const piece = end === -1 ? whole : whole.slice(0, end);
    const children = this.parse(piece);
    const found = end === -1 ? lastBreak(children, this.current) : { length: end, language: this.language };
    if (found && (!isAtEnd || found.length >= PIECE)) return this.finish(children, found);
    return isAtEnd ? { nodes: this.render(children), length: piece.length, hasFinished: false } : null;
  }

  private parse(code: string): ElementContent[] {
    return this.highlight(code, this.current).children as ElementContent[];
  }

  private finish(children: readonly ElementContent[], { length, language }: Break): Tail {
    const [before, after] = splitAt(children, length);
    if (length > 0) this.finished.push(this.render(before));
    this.finishedLength += length;
    this.current = language;
    return { nodes: this.render(after), length: lengthOf(after), hasFinished: true };
  }

  /** Code that is one long string or comment: its lines are finished as they are. */
  private plain(): Tail {
    const piece = this.text.slice(this.finishedLength, this.finishedLength + LONG_STEP);
    const length = piece.lastIndexOf('\n') + 1 || piece.length;
    return this.finish(this.parse(piece.slice(0, length)), { length, language: this.current });
  }

  private render(children: ElementContent[]): ReactNode {
    return (
      <span key={this.finished.length} className="code-lines">
        {toJsxRuntime({ type: 'root', children }, { Fragment, jsx, jsxs }) as ReactNode}
      </span>
    );
  }
}

function lengthOf(nodes: readonly ElementContent[]): number {
  return nodes.reduce((sum, node) => sum + textLength(node), 0);
}

function textLength(node: ElementContent): number {
  if (node.type === 'text') return node.value.length;
  return node.type === 'element' ? lengthOf(node.children) : 0;
}

/** The last line break outside of all elements, or in the script or style at the end of HTML. */
function lastBreak(nodes: readonly ElementContent[], language: string): Break | null {
  let length = lengthOf(nodes);
  for (const node of [...nodes].reverse()) {
    const own = textLength(node);
    if (node.type === 'text') {
      const at = node.value.lastIndexOf('\n');
      if (at !== -1) return { length: length - own + at + 1, language };
    } else if (node.type === 'element' && node === nodes.at(-1)) {
      const [name] = node.properties.className as string[];
      const embedded =
        name !== undefined && language === 'xml' && EMBEDDED[name] ? lastBreak(node.children, name) : null;
      if (embedded) return { ...embedded, length: length - own + embedded.length };
    }
    length -= own;
  }
  return null;
}

/** Splits at a position that is in a text, or in a text of the last element. */
function splitAt(nodes: readonly ElementContent[], at: number): [before: ElementContent[], after: ElementContent[]] {
  let rest = at;
  for (const [index, node] of nodes.entries()) {
    const length = textLength(node);
    if (rest > length || (rest === length && length > 0)) {
      rest -= length;
      continue;
    }
    const [before, after] = [nodes.slice(0, index), nodes.slice(index + 1)];
    if (rest === 0) return [before, nodes.slice(index)];
    if (node.type === 'text') {
      const [start, end] = [node.value.slice(0, rest), node.value.slice(rest)];
      return [
        [...before, { ...node, value: start }],
        [{ ...node, value: end }, ...after],
      ];
    }
    if (node.type !== 'element') return [before, [node, ...after]];
    const [inner, outer] = splitAt(node.children, rest);
    return [
      [...before, { ...node, children: inner }],
      [{ ...node, children: outer }, ...after],
    ];
  }
  return [[...nodes], []];
}
