import { Lexer, type Token } from 'marked';
import { type FormulaEnd, openFormula } from './math/math-text';
import { languageIn } from './code/languages';
import { LineMender } from './meant/line-mender';

/** A part of an answer that renders by itself. Once closed, it never renders again. */
export type Block =
  | { kind: 'text'; source: string; list?: ListPart }
  | { kind: 'code'; code: string; language: string; closed: boolean }
  | { kind: 'plain'; source: string };

/** What a part of a long list has from the whole list. */
export interface ListPart {
  /** The number of its first item; null if the list has no numbers. */
  start: number | null;
  /** Whether the items have the spacing of paragraphs. */
  loose: boolean;
}

/** A longer list is split into several, so that the cost of an update does not grow with the list. */
const LIST_PART_LENGTH = 1_500;
/** A delimiter that is not closed within this number of blocks does not open a formula. */
const FORMULA_MAX_BLOCKS = 30;
/** Nesting that overflows the stacks of the parsers. */
const TOO_DEEP = /^(?:(?:[ \t]*(?:>|[-*+](?=[ \t])|\d+[.)](?=[ \t]))){100}| {200,}(?:[-*+]|\d+[.)])[ \t])/m;
/** A line that the mender takes for the head of a table, at the end of a growing text. */
const GUESSED_TABLE = /\n[ \t]*(?:\|---)+\|$/;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gm;

/**
 * Splits Markdown into its top-level blocks, and long lists into parts. A text that grows at its end is
 * parsed again from its last block on; the blocks before are final and returned as the same objects.
 */
export class BlockSplitter {
  private readonly mender = new LineMender();
  private source = '';
  /** The blocks that further text cannot change, and the length of their source. */
  private finalBlocks: Block[] = [];
  private finalLength = 0;
  /** The list whose first parts are final, if the last block continues it. */
  private openList: OpenList | null = null;

  /** @param isWhole false while more text may follow */
  split(text: string, isWhole = true): Block[] {
    const source = this.mender.mend(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text, isWhole);
    if (source.slice(0, this.finalLength) !== this.source.slice(0, this.finalLength)) {
      this.finalBlocks = [];
      this.finalLength = 0;
      this.openList = null;
    }
    this.source = source;
    const tail = source.slice(this.finalLength);
    if (TOO_DEEP.test(tail)) return [{ kind: 'plain', source }];
    try {
      const isGuess = !isWhole && GUESSED_TABLE.test(tail);
      return this.toBlocks(toSections(new Lexer().blockTokens(tail), this.openList, isGuess));
    } catch {
      // Nesting by indentation can overflow the lexer's stack too.
      return [{ kind: 'plain', source }];
    }
  }

  private toBlocks(sections: readonly Section[]): Block[] {
    const open = sections.findIndex((section) => !section.isFinal);
    const continued = sections[0]?.part;
    if (this.openList && continued?.loose && !this.openList.loose) this.loosen(this.openList);
    for (const { block, length } of sections.slice(0, open)) {
      if (block) this.finalBlocks.push(block);
      this.finalLength += length;
    }
    this.openList = this.listAt(sections, open);
    return [...this.finalBlocks, ...sections.slice(open).flatMap(({ block }) => block ?? [])];
  }

  /** The list that the open section continues: its first parts have just become final, or were before. */
  private listAt(sections: readonly Section[], open: number): OpenList | null {
    const part = sections[open]?.part;
    if (!part) return null;
    const first = sections.findIndex((section) => section.part?.list === part.list);
    const isContinued = first === 0 && this.openList !== null;
    if (first === open && !isContinued) return null;
    const from = isContinued ? this.openList!.from : this.finalBlocks.length - (open - first);
    return { from, start: part.start, loose: part.loose };
  }

  /** An item with several paragraphs makes the whole list loose, its first parts too. */
  private loosen(list: OpenList): void {
    for (let index = list.from; index < this.finalBlocks.length; index += 1) {
      const block = this.finalBlocks[index] as Block & { kind: 'text' };
      this.finalBlocks[index] = { ...block, list: { ...block.list!, loose: true } };
    }
  }
}

interface OpenList extends ListPart {
  /** The index of its first part among the final blocks. */
  from: number;
}

/** The link definitions of a text. A link and its definition may be in different blocks. */
export function definitionsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.kind === 'text' ? definitionsIn(block) : []));
}

const definitionCache = new WeakMap<Block, readonly string[]>();

function definitionsIn(block: Block & { kind: 'text' }): readonly string[] {
  const known = definitionCache.get(block);
  if (known) return known;
  const found = block.source.match(DEFINITION) ?? [];
  definitionCache.set(block, found);
  return found;
}

/** A section of the text: a block, or the blank lines between two. */
interface Section {
  block: Block | null;
  length: number;
  /** True if further text cannot change the section. */
  isFinal: boolean;
  /** Set for a part of a list that is split; `list` is the same object for all parts. */
  part?: ListPart & { list: Token };
}

/** @param isGuess whether the last block may turn out to be text of the one before */
function toSections(tokens: readonly Token[], openList: ListPart | null, isGuess: boolean): Section[] {
  const end = tokens.findLastIndex(isShown);
  const last = isGuess ? tokens.slice(0, Math.max(end, 0)).findLastIndex(isShown) : end;
  const sections: Section[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const folded = endOfFolded(tokens, index);
    const formulaEnd = folded === undefined && !isFence(token) ? endOfFormula(tokens, index) : (folded ?? index);
    const end = formulaEnd ?? index;
    const isFinal = formulaEnd !== null && end < last;
    const continued = index === 0 ? openList : null;
    if (isList(token) && end === index && (continued || token.raw.length > LIST_PART_LENGTH)) {
      sections.push(...listSections(token, continued, isFinal, formulaEnd === null));
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

const isShown = ({ type }: Token): boolean => type !== 'space';

function toBlock(token: Token): Block | null {
  if (token.type === 'space') return null;
  if (!isFence(token)) return { kind: 'text', source: token.raw };
  const block = codeBlock(token);
  const isFormula = block.closed && block.language === 'math' && block.code.trim() !== '';
  return isFormula ? { kind: 'text', source: `$$\n${block.code}\n$$` } : block;
}

type FenceToken = Token & { type: 'code'; text: string; lang?: string };
type ListToken = Token & { items: { raw: string }[]; start: number | ''; loose: boolean };

const isList = (token: Token): token is ListToken => token.type === 'list';

function isFence(token: Token): token is FenceToken {
  return token.type === 'code' && token.codeBlockStyle !== 'indented';
}

function codeBlock(token: FenceToken): Block & { kind: 'code' } {
  const [fence = '```'] = /^ {0,3}(`{3,}|~{3,})/.exec(token.raw) ?? [];
  const lines = token.raw.trimEnd().split('\n');
  const lastLine = lines.at(-1)?.trim() ?? '';
  const marker = fence.trim();
  const closed = lines.length > 1 && lastLine.startsWith(marker) && lastLine.replaceAll(marker[0] ?? '`', '') === '';
  return { kind: 'code', code: token.text, language: languageIn(token.lang ?? ''), closed };
}

function listSections(
  list: ListToken,
  continued: ListPart | null,
  isFinal: boolean,
  isFormulaOpen: boolean,
): Section[] {
  const { items } = list;
  const loose = list.loose || Boolean(continued?.loose);
  const first = continued ? continued.start : list.start === '' ? null : list.start;
  const sections: Section[] = [];
  let source = '';
  let count = 0;
  for (const [index, { raw }] of items.entries()) {
    source += raw;
    if (source.length <= LIST_PART_LENGTH && index < items.length - 1) continue;
    // The marker of a new item may turn out to be text of the item before: "2." may become "2.5".
    const isDecided = !isFormulaOpen && index < items.length - 2;
    const part = { start: first === null ? null : first + count, loose };
    sections.push({
      block: { kind: 'text', source, list: part },
      length: source.length,
      isFinal: isFinal || isDecided,
      part: { ...part, list },
    });
    source = '';
    count = index + 1;
  }
  return sections;
}

/** The index of the token that ends a folded text, or of the last one while it is open; undefined if none begins here. */
function endOfFolded(tokens: readonly Token[], start: number): number | undefined {
  if (!/^ {0,3}<details\b/i.test(tokens[start]!.raw)) return undefined;
  let depth = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if (token.type !== 'html') continue;
    for (const [tag] of token.raw.matchAll(/<\/?details\b/gi)) depth += tag[1] === '/' ? -1 : 1;
    if (depth <= 0) return index;
  }
  return tokens.length - 1;
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
