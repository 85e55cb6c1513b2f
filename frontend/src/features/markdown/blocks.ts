import { Lexer, type Token } from 'marked';
import { type FormulaEnd, openFormula } from './math/math-text';
import { LONG_PARAGRAPH, type ParagraphPiece, ParagraphSplitter } from './paragraphs/paragraph-splitter';

/** A part of an answer that renders by itself. Once closed, it never renders again. */
export type Block =
  | { kind: 'text'; source: string }
  | { kind: 'paragraph'; pieces: readonly ParagraphPiece[] }
  | { kind: 'code'; code: string; language: string; closed: boolean }
  | { kind: 'plain'; source: string };

/** A longer list is split into several, so that the cost of an update does not grow with the list. */
const LIST_PART_LENGTH = 1_500;
/** A delimiter that is not closed within this number of blocks does not open a formula. */
const FORMULA_MAX_BLOCKS = 30;
/** Nesting that overflows the stacks of the parsers. */
const TOO_DEEP = /^(?:(?:[ \t]*(?:>|[-*+](?=[ \t])|\d+[.)](?=[ \t]))){100}| {200,}(?:[-*+]|\d+[.)])[ \t])/m;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gm;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/m;

/**
 * Splits Markdown into its top-level blocks, and long lists and paragraphs into parts. A text that grows at its end is
 * parsed again from its last block on; the blocks before are final and returned as the same objects.
 */
export class BlockSplitter {
  private text = '';
  /** The blocks that further text cannot change, and the length of their source. */
  private finalBlocks: Block[] = [];
  private finalLength = 0;
  private readonly paragraphs = new ParagraphSplitter();

  split(text: string): Block[] {
    const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    if (!source.startsWith(this.text)) {
      this.finalBlocks = [];
      this.finalLength = 0;
    }
    this.text = source;
    const tail = source.slice(this.finalLength);
    if (TOO_DEEP.test(tail)) return [{ kind: 'plain', source }];
    try {
      return this.toBlocks(toSections(new Lexer().blockTokens(tail), this.paragraphs));
    } catch {
      // Nesting by indentation can overflow the lexer's stack too.
      return [{ kind: 'plain', source }];
    }
  }

  private toBlocks(sections: readonly Section[]): Block[] {
    const open = sections.findIndex((section) => !section.isFinal);
    for (const { block, length } of sections.slice(0, open)) {
      if (block) this.finalBlocks.push(block);
      this.finalLength += length;
    }
    return [...this.finalBlocks, ...sections.slice(open).flatMap(({ block }) => block ?? [])];
  }
}

/** The link definitions of a text. A link and its definition may be in different blocks. */
export function definitionsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => sourcesOf(block).flatMap(definitionsIn));
}

/** A part of a text: a block, or a piece of a paragraph. */
type Source = Readonly<{ source: string }>;

function sourcesOf(block: Block): readonly Source[] {
  if (block.kind === 'text') return [block];
  return block.kind === 'paragraph' ? block.pieces : [];
}

const definitionCache = new WeakMap<Source, readonly string[]>();

function definitionsIn(part: Source): readonly string[] {
  const known = definitionCache.get(part);
  if (known) return known;
  const found = part.source.match(DEFINITION) ?? [];
  definitionCache.set(part, found);
  return found;
}

/** Whether a text has footnotes, which are numbered over the whole text and shown at its end. */
export function hasFootnotes(blocks: readonly Block[]): boolean {
  return blocks.some((block) => sourcesOf(block).some(({ source }) => FOOTNOTE.test(source)));
}

/** A section of the text: a block, or the blank lines between two. */
interface Section {
  block: Block | null;
  length: number;
  /** True if further text cannot change the section. */
  isFinal: boolean;
}

function toSections(tokens: readonly Token[], paragraphs: ParagraphSplitter): Section[] {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const sections: Section[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const formulaEnd = isFence(token) ? index : endOfFormula(tokens, index);
    const end = formulaEnd ?? index;
    const isFinal = formulaEnd !== null && end < last;
    if (token.type === 'list' && token.raw.length > LIST_PART_LENGTH && end === index) {
      sections.push(...listSections(token as ListToken, isFinal, formulaEnd === null));
    } else if (isLongParagraph(token) && formulaEnd === index) {
      sections.push({ block: paragraphBlock(paragraphs.split(token.raw)), length: token.raw.length, isFinal });
    } else {
      const source = tokens
        .slice(index, end + 1)
        .map(rawOf)
        .join('');
      const block: Block | null = end > index ? { kind: 'text', source } : toBlock(token);
      sections.push({ block, length: source.length, isFinal });
    }
    index = end;
  }
  return sections;
}

const rawOf = (token: Token) => token.raw;

function toBlock(token: Token): Block | null {
  if (token.type === 'space') return null;
  return isFence(token) ? codeBlock(token) : { kind: 'text', source: token.raw };
}

function isLongParagraph(token: Token): boolean {
  return token.type === 'paragraph' && token.raw.length > LONG_PARAGRAPH;
}

function paragraphBlock(pieces: readonly ParagraphPiece[]): Block {
  const [first] = pieces;
  return pieces.length === 1 && first ? { kind: 'text', source: first.source } : { kind: 'paragraph', pieces };
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

function listSections({ items }: ListToken, isFinal: boolean, isFormulaOpen: boolean): Section[] {
  const sections: Section[] = [];
  let source = '';
  for (const [index, { raw }] of items.entries()) {
    source += raw;
    if (source.length <= LIST_PART_LENGTH && index < items.length - 1) continue;
    // The marker of a new item may turn out to be text of the item before: "2." may become "2.5".
    const isDecided = !isFormulaOpen && index < items.length - 2;
    sections.push({ block: { kind: 'text', source }, length: source.length, isFinal: isFinal || isDecided });
    source = '';
  }
  return sections;
}

/**
 * The index of the token that ends a formula over blank lines which starts in this token; the token's own index without
 * one. Null if further text may close the formula.
 */
function endOfFormula(tokens: readonly Token[], start: number): number | null {
  let open: FormulaEnd | null = null;
  for (let index = start; index < start + FORMULA_MAX_BLOCKS; index += 1) {
    const token = tokens[index];
    if (!token) return null;
    if (isFence(token)) return start;
    open = openFormula(token.raw, open);
    if (open === null) return index;
  }
  return start;
}
