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
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/m;

/**
 * Splits markdown into its top-level blocks. A text that grows at its end, as while streaming, is read again only from
 * its last block on: everything before can't change any more.
 */
export class BlockSplitter {
  private text = '';
  private tokens: Token[] = [];

  split(text: string): Block[] {
    const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    if (TOO_DEEP.test(source)) return [{ kind: 'plain', source }];
    try {
      this.read(source);
    } catch {
      // Nesting by indentation can overflow the lexer's stack too.
      return [{ kind: 'plain', source }];
    }
    return toBlocks(this.tokens);
  }

  private read(source: string): void {
    const grown = source.length >= this.text.length && source.startsWith(this.text);
    if (!grown) this.tokens = [];
    if (!grown || source.length > this.text.length) this.lexTail(source);
    this.text = source;
  }

  private lexTail(source: string): void {
    const last = this.tokens.findLastIndex((token) => token.type !== 'space');
    const kept = this.tokens.slice(0, Math.max(last, 0));
    const offset = kept.reduce((length, token) => length + token.raw.length, 0);
    this.tokens = [...kept, ...new Lexer().blockTokens(source.slice(offset))];
  }
}

/** Link definitions of a text; a link may stand in another block than its definition. */
export function definitionsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'text' ? (block.source.match(/^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gm) ?? []) : [],
  );
}

/** Footnotes belong to the whole text: their notes stand at its end and are numbered through. */
export function hasFootnotes(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.kind === 'text' && FOOTNOTE.test(block.source));
}

function toBlocks(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.type === 'space') continue;
    const formulaEnd = isFence(token) ? -1 : endOfFormula(tokens, index);
    if (formulaEnd > index) {
      blocks.push({
        kind: 'text',
        source: tokens
          .slice(index, formulaEnd + 1)
          .map(rawOf)
          .join(''),
      });
      index = formulaEnd;
    } else {
      blocks.push(...toBlock(token));
    }
  }
  return blocks;
}

const rawOf = (token: Token) => token.raw;

function toBlock(token: Token): Block[] {
  if (isFence(token)) return [codeBlock(token)];
  if (token.type === 'list' && token.raw.length > LIST_CHUNK) return listChunks(token as ListToken);
  return [{ kind: 'text', source: token.raw }];
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

function listChunks({ items }: ListToken): Block[] {
  const chunks: string[] = [''];
  for (const { raw } of items) {
    if ((chunks.at(-1) ?? '').length > LIST_CHUNK) chunks.push('');
    chunks[chunks.length - 1] += raw.endsWith('\n') ? raw : `${raw}\n`;
  }
  return chunks.filter(Boolean).map((source) => ({ kind: 'text', source }));
}

/** Where a formula that begins in this token ends, when it goes on over blank lines; else the token itself. */
function endOfFormula(tokens: readonly Token[], start: number): number {
  let open: FormulaEnd | null = null;
  const limit = Math.min(tokens.length, start + FORMULA_BLOCKS);
  for (let index = start; index < limit; index += 1) {
    const token = tokens[index] as Token;
    if (isFence(token)) return start;
    open = openFormula(token.raw, open);
    if (open === null) return index;
  }
  return start;
}
