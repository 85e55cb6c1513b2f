import type { ProjectSection } from '@tanya/contract';
import { estimateTokens } from '../../providers/token-estimate.js';
import { Slices } from '../../platform/system/slices.js';

/** A piece of a section that a search finds as a whole. */
export interface Chunk {
  /** Index of the section. */
  section: number;
  /** Range of characters in the text of the section. */
  start: number;
  end: number;
  /** The first row of a table that the chunk continues; '' for any other chunk. */
  header: string;
  text: string;
}

/** Tokens of a chunk: enough for a paragraph with its context, so few that its page is certain. */
const CHUNK_TOKENS = 400;

/** A table up to this size stays whole, because a row says little without its neighbours. */
const TABLE_TOKENS = 1_600;

/** Characters of a line that is repeated as the header of a table. */
const MAX_HEADER = 1_000;

/** Characters of a row with texts of several lines. */
const MAX_ROW = 1_000;

const CELL_BORDER = /[\t|,;]/;

/** A span of the text of a section: a sentence, a line or a table. */
interface Span {
  start: number;
  end: number;
  tokens: number;
  isTable: boolean;
}

/** A mark within a number or a name, such as `3.14`, ends no sentence. */
const SENTENCE = /(?:[^.!?。！？]|[.!?](?!["'”’)\]]*(?:\s|$)))*(?:[.!?。！？]+["'”’)\]]*\s*)?/g;

/** Characters of a line that are looked at in one piece. */
const MAX_LINE = 16_384;

/** Rows of tables have their cells between tabs or bars. */
const isRow = (line: string): boolean =>
  line.includes('\t') || /\S\s*\|\s*\S/.test(line) || /^\s*\|.*\|\s*$/.test(line);

/**
 * Cuts the sections of a document into chunks at the ends of sentences. A chunk lies within one section, so that it has one
 * page. Tables stay whole; one that is too large is cut between rows, and each piece has its header.
 * @param areTables whether each section is a table, as in a CSV file
 */
export async function chunksOf(
  sections: readonly Pick<ProjectSection, 'kind' | 'text'>[],
  areTables = false,
): Promise<Chunk[]> {
  const slices = new Slices();
  const chunks: Chunk[] = [];
  for (const [section, { kind, text }] of sections.entries()) {
    const isTable = areTables || kind === 'sheet';
    let open: Span[] = [];
    let tokens = 0;
    const close = (): void => {
      if (open.length > 0) push(chunks, section, text, open[0]!.start, open.at(-1)!.end, '');
      open = [];
      tokens = 0;
    };
    for (const span of spansOf(text, isTable)) {
      await slices.pause();
      if (tokens > 0 && tokens + span.tokens > CHUNK_TOKENS) close();
      if (span.isTable && span.tokens > TABLE_TOKENS) {
        for (const piece of rowsOf(text, span)) push(chunks, section, text, piece.start, piece.end, piece.header);
        continue;
      }
      open.push(span);
      tokens += span.tokens;
      if (tokens >= CHUNK_TOKENS) close();
    }
    close();
  }
  return chunks;
}

function push(chunks: Chunk[], section: number, text: string, start: number, end: number, header: string): void {
  const piece = text.slice(start, end);
  const from = start + (piece.length - piece.trimStart().length);
  const kept = piece.trim();
  if (kept !== '') chunks.push({ section, start: from, end: from + kept.length, header, text: kept });
}

/** The spans of a text in their order: tables, else sentences, else pieces of a line without an end. */
function* spansOf(text: string, isTable: boolean): Generator<Span> {
  let table = null as Span | null;
  for (const [start, end] of linesOf(text)) {
    const line = text.slice(start, end);
    if (isTable || isRow(line)) {
      const tokens = estimateTokens(line);
      table = table === null ? { start, end, tokens, isTable: true } : { ...table, end, tokens: table.tokens + tokens };
      continue;
    }
    if (table !== null) yield table;
    table = null;
    yield* sentencesOf(line, start);
  }
  if (table !== null) yield table;
}

/** The end of a piece, or the unit before it where it would be within a character of two units. */
const wholeEnd = (text: string, end: number): number =>
  end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;

function* linesOf(text: string): Generator<[start: number, end: number]> {
  for (let start = 0; start < text.length;) {
    const at = text.indexOf('\n', start);
    const end = wholeEnd(text, Math.min(at < 0 ? text.length : at + 1, start + MAX_LINE));
    yield [start, end];
    start = end;
  }
}

function* sentencesOf(line: string, offset: number): Generator<Span> {
  for (const { 0: sentence, index } of line.matchAll(SENTENCE)) {
    if (sentence === '') continue;
    yield* piecesOf(sentence, offset + index);
  }
}

/** A sentence as one span; one that is too long for a chunk as several, cut at blanks where that is possible. */
function* piecesOf(sentence: string, offset: number): Generator<Span> {
  for (let at = 0; at < sentence.length;) {
    let end = Math.min(sentence.length, at + 3 * CHUNK_TOKENS);
    let tokens = estimateTokens(sentence.slice(at, end));
    if (tokens > CHUNK_TOKENS) {
      end = at + CHUNK_TOKENS;
      tokens = estimateTokens(sentence.slice(at, end));
    }
    if (end < sentence.length) {
      const blank = sentence.lastIndexOf(' ', end);
      end = blank > at ? blank + 1 : wholeEnd(sentence, end);
    }
    yield { start: offset + at, end: offset + end, tokens, isTable: false };
    at = end;
  }
}

/** Rows of a table among which its header is looked for: a title may stand above it. */
const HEADER_ROWS = 10;

/** The first row with two cells, which is the header of a table; its first row where none has. */
function headerOf(table: string): string {
  let first = '';
  let count = 0;
  for (const [from, to] of rowLines(table)) {
    const row = table.slice(from, to).trim();
    if (row === '') continue;
    if (row.split(CELL_BORDER).filter((cell) => /\S/.test(cell)).length > 1) return row;
    first ||= row;
    if ((count += 1) === HEADER_ROWS) break;
  }
  return first;
}

/** The lines of a table. One within quotation marks continues, as in a CSV file with texts of several lines. */
function* rowLines(table: string): Generator<[start: number, end: number]> {
  let start = 0;
  let isOpen = false;
  for (const [from, to] of linesOf(table)) {
    const marks = table.slice(from, to).split('"').length - 1;
    if (marks % 2 === 1) isOpen = !isOpen;
    // A single mark is one for inches.
    if (isOpen && to - start < MAX_ROW) continue;
    if (isOpen) {
      for (const [line, end] of linesOf(table.slice(start, to))) yield [start + line, start + end];
      isOpen = false;
    } else yield [start, to];
    start = to;
  }
  if (start < table.length) for (const [line, end] of linesOf(table.slice(start))) yield [start + line, start + end];
}

/** The pieces of a table that is too large, each of whole rows unless one is too long. Later ones have its header. */
function* rowsOf(text: string, table: Span): Generator<{ start: number; end: number; header: string }> {
  const found = headerOf(text.slice(table.start, table.end));
  const header = found.length <= MAX_HEADER ? found : '';
  let start = table.start;
  let end = table.start;
  let tokens = 0;
  let isFirst = true;
  for (const [from, to] of rowLines(text.slice(table.start, table.end))) {
    const row = text.slice(table.start + from, table.start + to);
    const size = estimateTokens(row);
    const isLong = size > TABLE_TOKENS;
    if (tokens > 0 && (isLong || tokens + size > CHUNK_TOKENS)) {
      yield { start, end, header: isFirst ? '' : header };
      isFirst = false;
      start = end;
      tokens = 0;
    }
    end = table.start + to;
    tokens += size;
    if (!isLong) continue;
    for (const piece of piecesOf(row, start)) yield { ...piece, header: '' };
    isFirst = false;
    start = end;
    tokens = 0;
  }
  if (end > start) yield { start, end, header: isFirst ? '' : header };
}
