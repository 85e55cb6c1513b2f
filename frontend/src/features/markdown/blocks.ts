import { Lexer, type Token } from 'marked';
import { type FormulaEnd, openFormula } from './math-text';

/** A piece of an answer that is rendered by itself and, once closed, never again. */
export type Block =
  | { kind: 'text'; source: string }
  | { kind: 'code'; code: string; language: string; closed: boolean }
  | { kind: 'plain'; source: string };

/** A list longer than this is cut into several, so that a growing one doesn't cost more with each item. */
const LIST_CHUNK = 1500;
/** A formula that isn't closed within so many blocks was none. */
const FORMULA_BLOCKS = 30;
/** Deeper nesting than anybody writes overflows the parsers' stacks. */
const TOO_DEEP = /^(?:(?:[ \t]*(?:>|[-*+](?=[ \t])|\d+[.)](?=[ \t]))){100}| {200,}(?:[-*+]|\d+[.)])[ \t])/m;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gm;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/m;

/**
 * Splits markdown into its top-level blocks. A text that grows at its end, as while streaming, is read again only from
 * its last block on: everything before can't change any more, and comes as the same objects.
 */
export class BlockSplitter {
  private text = '';
  /** The blocks that can't change any more, and how much of the text they are. */
  private settled: Block[] = [];
  private settledLength = 0;

  split(text: string): Block[] {
    const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    if (!source.startsWith(this.text)) {
      this.settled = [];
      this.settledLength = 0;
    }
    this.text = source;
    const tail = source.slice(this.settledLength);
    if (TOO_DEEP.test(tail)) return [{ kind: 'plain', source }];
    try {
      return this.settle(toPieces(new Lexer().blockTokens(tail)));
    } catch {
      // Nesting by indentation can overflow the lexer's stack too.
      return [{ kind: 'plain', source }];
    }
  }

  private settle(pieces: readonly Piece[]): Block[] {
    const open = pieces.findIndex((piece) => !piece.isFinal);
    for (const { block, length } of pieces.slice(0, open)) {
      if (block) this.settled.push(block);
      this.settledLength += length;
    }
    return [...this.settled, ...pieces.slice(open).flatMap(({ block }) => block ?? [])];
  }
}

/** Link definitions of a text; a link may stand in another block than its definition. */
export function definitionsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(definitionsIn);
}

const knownDefinitions = new WeakMap<Block, readonly string[]>();

function definitionsIn(block: Block): readonly string[] {
  const known = knownDefinitions.get(block);
  if (known) return known;
  const found = block.kind === 'text' ? (block.source.match(DEFINITION) ?? []) : [];
  knownDefinitions.set(block, found);
  return found;
}

/** Footnotes belong to the whole text: their notes stand at its end and are numbered through. */
export function hasFootnotes(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.kind === 'text' && FOOTNOTE.test(block.source));
}

/** What a stretch of a text is: a block, or the space between two. */
interface Piece {
  block: Block | null;
  length: number;
  /** More text can't change it. */
  isFinal: boolean;
}

function toPieces(tokens: readonly Token[]): Piece[] {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const pieces: Piece[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const formulaEnd = isFence(token) ? index : endOfFormula(tokens, index);
    const end = formulaEnd ?? index;
    const isFinal = formulaEnd !== null && end < last;
    if (token.type === 'list' && token.raw.length > LIST_CHUNK && end === index) {
      pieces.push(...listPieces(token as ListToken, isFinal, formulaEnd === null));
    } else {
      const source = tokens
        .slice(index, end + 1)
        .map(rawOf)
        .join('');
      const block: Block | null = end > index ? { kind: 'text', source } : toBlock(token);
      pieces.push({ block, length: source.length, isFinal });
    }
    index = end;
  }
  return pieces;
}

const rawOf = (token: Token) => token.raw;

function toBlock(token: Token): Block | null {
  if (token.type === 'space') return null;
  return isFence(token) ? codeBlock(token) : { kind: 'text', source: token.raw };
}

type FenceToken = Token & { type: 'code'; text: string; lang?: string };
type ListToken = Token & { items: { raw: string }[] };

function isFence(token: Token): token is FenceToken {
  return token.type === 'code' && token.codeBlockStyle !== 'indented';
}

function codeBlock(token: FenceToken): Block {
  const [fence = '```'] = /^ {0,3}(`{3,}|~{3,})/.exec(token.raw) ?? [];
  const lines = token.raw.trimEnd().split('\n');
  const lastLine = lines.at(-1)?.trim() ?? '';
  const marker = fence.trim();
  const closed = lines.length > 1 && lastLine.startsWith(marker) && lastLine.replaceAll(marker[0] ?? '`', '') === '';
  return { kind: 'code', code: token.text, language: (token.lang ?? '').split(/\s/)[0] ?? '', closed };
}

function listPieces({ items }: ListToken, isFinal: boolean, isFormulaOpen: boolean): Piece[] {
  const pieces: Piece[] = [];
  let source = '';
  for (const [index, { raw }] of items.entries()) {
    source += raw;
    if (source.length <= LIST_CHUNK && index < items.length - 1) continue;
    // What looks like the mark of a new item may turn out to belong to the one before: "2." may become "2.5".
    const isDecided = !isFormulaOpen && index < items.length - 2;
    pieces.push({ block: { kind: 'text', source }, length: source.length, isFinal: isFinal || isDecided });
    source = '';
  }
  return pieces;
}

/**
 * Where a formula that begins in this token ends, when it goes on over blank lines; else the token itself. Null while that
 * is open.
 */
function endOfFormula(tokens: readonly Token[], start: number): number | null {
  let open: FormulaEnd | null = null;
  for (let index = start; index < start + FORMULA_BLOCKS; index += 1) {
    const token = tokens[index];
    if (!token) return null;
    if (isFence(token)) return start;
    open = openFormula(token.raw, open);
    if (open === null) return index;
  }
  return start;
}
