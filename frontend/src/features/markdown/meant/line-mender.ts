import { INLINE, NEUTRAL } from './tags';
import { cellCount, delimiterRow, escapeBars, isDelimiterRow, withCells } from './table-rows';
import { HTML_TABLE, NO_TABLE, readTable, type TableStart } from './html-table';
import { NOTHING_PLACED, type Placing, withoutPlacing, withoutTitle } from './placed-html';

/** An open fence, as it was written and as it is rendered. */
interface Fence {
  mark: string;
  length: number;
  /** The columns before the fence as written, which its lines lose. */
  columns: number;
  /** The columns before the fence as rendered: those of the list item that it is in. */
  base: number;
  /** Set for a block of Markdown: the fences that are open inside of it. */
  inner: number | null;
  /** Set for a page or picture without fences: the tag that ends it. */
  page?: string;
  /** What the line of the fence has after the language: options, or the code if no line follows. */
  rest?: string;
}

/** The columns at which the marker and the text of a list item begin. */
interface ListItem {
  marker: number;
  text: number;
}

interface State {
  fence: Fence | null;
  /** The open list items, each inside of the one before. */
  items: readonly ListItem[];
  /** Columns that are added to lines with at least `from` of them: the list below a number was indented too little. */
  shift: { from: number; by: number } | null;
  last: string;
  /** Whether the last line followed a blank one, or one that announces it. */
  isFirst: boolean;
  /** The cells of the head of the open table; 0 outside of one. */
  cells: number;
  /** Whether the last line was set apart from the list above it, which the next item goes on with. */
  isApart: boolean;
  /** Whether a block of Markdown may have fences inside. */
  nests: boolean;
  placing: Placing;
  table: OpenTable | null;
}

interface OpenTable extends TableStart {
  /** The state before it. */
  before: State;
}

const START: State = {
  fence: null,
  items: [],
  shift: null,
  last: '',
  isFirst: false,
  cells: 0,
  isApart: false,
  nests: true,
  placing: NOTHING_PLACED,
  table: null,
};

/** A fence, after the markers of list items on its line. */
const FENCE = /^((?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*)(`{3,}|~{3,})/;
/** A block of code on one line. */
const ONE_LINE = /^([ \t]*)```([^`]+)```[ \t]*$/;
/** Text and the fence after it on one line. */
const LATE_FENCE = /^(?![\s>]*(?:(?:[-*+]|\d{1,9}[.)])[\s>]*)*`)([^`|]*[^\s`|])[ \t]*(```[\w+#-]+)[ \t]*$/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)/;
/** What follows the language on the line of a fence. */
const INFO = /^[ \t]*([\w+#-]+)(?:[ \t]+|(?=[{[]["'{[]))(\S.*)$/;
/** Code, and no option such as `{1,3}`, `[title]` or `src/a.ts`. */
const CODE_START = /^(?:[{[][ \t]*(?:["'{[]|$)|<[a-z!/?]|\/\/|#!|#include\b)/i;
/** Programs whose calls stand where the language belongs. */
const PROGRAM = /^(?:apt|brew|cargo|cd|curl|docker|git|kubectl|npm|npx|pip3?|pnpm|python3|sudo|wget|yarn)$/;
const MARKDOWN = /^[ \t]*(?:markdown|md|mdx)\b/i;
/** Longer than the fences inside of a block of Markdown. */
const OUTER_LENGTH = 12;
const HEADING = /^( {0,3}#{2,6})(?=[^#\s])/;
const SPACED_ADDRESS = /\]\((https?:\/\/[^()\s<>]+(?: [^()\s<>"']+)+)\)/g;
/** What writing systems make of two or three dashes. */
const LONG_DASH = /[–—−]/g;
const TABLE_HEAD = /^ {0,3}\|.*\S/;
/** One below a text, which may be a norm: |x|. */
const SPACED_HEAD = /^ {0,3}\| .*\S/;
/** One whose first cell has an end, so that it is no rule of a grammar: `| b + c`. */
const CELL_HEAD = /^ {0,3}\| [^|]+\|/;
/** The markers of list items before the text of a line. */
const MARKERS = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/;
/** A row of a table between bars. Without the last one, its cell may go on in the next line. */
const ROW = /^[ \t]*\|.*\|[ \t]*$/;
/** A bold text at the start of a line, but not one within a sentence that goes on from the line above. */
const BOLD = /^\*\*(?![^*]*[^*:：.?!]\*\* \p{Ll})[^\s*]/u;
/** Marks of sources that the tools of a provider leave in the text, and which lead nowhere here. */
const SOURCE_MARK = /\uE200[^\uE200\uE201]*\uE201|【\d+(?::\d+)?†[^【】]*】/g;
const OPEN_SOURCE_MARK = /(?:\uE200[^\uE200\uE201]*|【\d+(?::\d+)?†[^【】]*)$/;
/** A page or a picture that a model gives without fences. */
const PAGE = /^(?:<!doctype (?=html)|<(?=html\b[^<>]*>[ \t]*$|svg\s[^<>]*>(?:[ \t]*|.*<\/svg>[ \t]*)$))(html|svg)/i;
/** A tag at the start of a line, whose following lines would be no Markdown. */
const BLOCK_TAG = /^ {0,3}<\/?([a-z][\w-]*)(?=[\s>/]|$)/i;
/** A tag alone on its line. */
const LONE_TAG = /^<\/?[a-z][\w-]*(?:\s[^<>]*)?>[ \t]*$/i;
/** Tags that are more than text, and those whose content is no Markdown. */
const MEANT_TAGS = new Set([
  ...INLINE,
  ...NEUTRAL,
  'a',
  'img',
  'br',
  'details',
  'summary',
  'script',
  'style',
  'pre',
  'textarea',
]);
/** A known tag that grows, and not a letter that is compared. */
const OPEN_TAG =
  /<\/?(?:[a-z]{0,7}|h[1-6]|br ?\/?|(?:a|center|details|div|font|h[1-6]|hr|img|p|span|table|u)\s(?:[\w-]{0,20}|[\w-]{1,40}\s?=[^<>]{0,2000}))$/i;
/** Marks that grow: text that is bold, struck or code shows none, whether it begins or ends here. */
const OPEN_MARKS = /(?<![\\*])\*{1,3}$|(?<![\\`])`{1,2}$|(?<![\\~])~~?$|(?<![\\\w])__?$/;
/** An address whose bracket is not closed yet. */
const OPEN_ADDRESS = /<(https?:[^\s<>]*)$/i;
/** The address of a reference, which is not shown. */
const OPEN_DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:[ \t]*(?:<[^<>]*)?$/;
/**
 * An item that begins with a comparison: `- > 25%`, `- >= $30`, `- >5`. A quotation may begin with a number too: that of a
 * year, of an item or of a sentence.
 */
const COMPARISON =
  /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})>(?![ \t]*(?:\d{4}\b|\d+[.)](?:[ \t]|$)))(?=(?:=[ \t]*)?[$€£¥]?\d|[ \t]+[$€£¥]?\d[\d.,]*[ \t]?(?:[%°:]|$))/;
/** One that grows, up to what follows its number. */
const OPEN_COMPARISON = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})>=?[ \t]*[$€£¥]?(?:\d[\d.,)]*[ \t]?)?$/;
/** Colours of a terminal. */
const TERMINAL = new RegExp(String.raw`${'\u001B'}(?:\[[?\d;]{0,20}[A-Za-z]?)?`, 'g');
const DETAILS = /^[ \t]*<\/?(?:details|summary)\b/i;
/** Lines longer than this are text. */
const LINE_MAX = 20_000;

/**
 * Rewrites the lines that models write otherwise than they mean: fences in fences, code that is indented less than its list
 * item, titles without a space, rules directly below a paragraph, bars in the code of a cell. A growing text is read once:
 * only its last, open line is read again.
 */
export class LineMender {
  private read = '';
  private mended = '';
  private state = START;
  /** The state after the last line, which may be open. */
  private endState = START;

  /** @param isWhole false while more text may follow, so that the last line may be a part of one */
  mend(text: string, isWhole: boolean): string {
    const mended = this.mendLines(text, isWhole, START);
    // Without an end of its own, the block of Markdown ended at the first bare fence.
    const { fence } = this.endState;
    const isOpen = isWhole && typeof fence?.inner === 'number';
    if (isOpen) {
      const again = new LineMender();
      return again.mendLines(text, true, { ...START, nests: false }) + again.openTable;
    }
    if (isWhole && this.openTable !== '') return mended + this.openTable;
    return isWhole && fence?.rest ? `${mended}\n${' '.repeat(fence.base)}${fence.rest}` : mended;
  }

  /** The lines of a table that has no end, as a text. */
  private get openTable(): string {
    const { table } = this.endState;
    return table === null ? '' : asText(table.before, table.source).out;
  }

  private mendLines(text: string, isWhole: boolean, start: State): string {
    // Much faster than `startsWith`, which compares one character at a time.
    if (text.slice(0, this.read.length) !== this.read) {
      this.read = '';
      this.mended = '';
    }
    if (this.read === '') this.state = start;
    const end = text.lastIndexOf('\n') + 1;
    if (end > this.read.length) {
      for (const line of text.slice(this.read.length, end - 1).split('\n')) {
        const { out, state } = nextLine(this.state, line, true);
        if (out !== null) this.mended += `${out}\n`;
        this.state = state;
      }
      this.read = text.slice(0, end);
    }
    const open = text.slice(this.read.length);
    const { out, state } = nextLine(this.state, open, isWhole);
    this.endState = state;
    if (out === null && state.table !== null) this.settleTable(state, open);
    return this.mended + (out ?? '');
  }

  /** Reads the whole tags of a table once, even if it has no lines. */
  private settleTable({ table, ...state }: State, open: string): void {
    const settled = open.slice(0, open.lastIndexOf('>') + 1);
    if (settled === '') return;
    const source = (this.state.table?.source ?? '') + settled;
    this.state = { ...state, table: { ...table!, source } };
    this.read += settled;
  }
}

interface Mended {
  out: string;
  state: State;
}

/** A line that is shown with those that follow. */
interface Held {
  out: null;
  state: State;
}

/** @param hasTables whether a table that is written as HTML may begin with the line */
function nextLine(before: State, written: string, isComplete: boolean, hasTables = true): Mended | Held {
  if (before.table !== null) return inHtmlTable(before.table, written, isComplete);
  if (hasTables && before.fence === null && HTML_TABLE.test(written))
    return inHtmlTable({ ...NO_TABLE, before }, written, isComplete);
  if (written.length > LINE_MAX) return { out: written, state: { ...before, last: '' } };
  if (written.includes('\u001B')) return nextLine(before, written.replace(TERMINAL, ''), isComplete, hasTables);
  if (written.trim() === '') {
    if (!isComplete && isGrowingHead(before)) return { out: delimiterRow(before.last), state: before };
    return before.fence
      ? { out: '', state: before }
      : { out: written, state: { ...before, last: '', cells: 0, isApart: false } };
  }
  const { line, shift, items } = before.fence
    ? { line: shifted(before.shift, written).line, shift: before.shift, items: before.items }
    : itemsAt(before, written);
  const state: State = {
    ...before,
    shift,
    items,
    last: line,
    isFirst: before.last === '' || /[:：]\**$/.test(before.last.trimEnd()),
    placing: withoutTitle(before.placing),
  };
  if (before.fence?.page) return inPage(before.fence.page, state, written, isComplete);
  if (before.fence) return inFence(before.fence, state, line, before.last, isComplete);
  const [, page] = PAGE.exec(line) ?? [];
  if (page) {
    const fence: Fence = { mark: '`', length: PAGE_FENCE.length, columns: 0, base: 0, inner: null, page };
    const begun = inPage(page, { ...state, fence, items: [], shift: null, last: '', cells: 0 }, line, isComplete);
    return { ...begun, out: `${PAGE_FENCE}${page.toLowerCase()}\n${begun.out}` };
  }
  const [, indent = '', code = ''] = (isComplete && ONE_LINE.exec(line)) || [];
  if (code.trim() !== '') {
    return { out: `${indent}\`\`\`\n${indent}${code}\n${indent}\`\`\``, state: { ...state, last: '', cells: 0 } };
  }
  const [start = '', prefix = '', ticks = ''] = FENCE.exec(line) ?? [];
  const info = line.slice(start.length);
  if (ticks && !(ticks.startsWith('`') && info.includes('`')))
    return openFence(state, prefix, ticks, isComplete ? info : '');
  const [, text = '', late = ''] = (isComplete && LATE_FENCE.exec(line)) || [];
  if (late) {
    const opened = openFence(state, ' '.repeat(items.at(-1)?.text ?? 0), '```', late.slice(3));
    return { out: `${text}\n${opened.out}`, state: opened.state };
  }
  const shown = isComplete ? line : line.replace(OPEN_TAG, '').replace(OPEN_ADDRESS, '$1').replace(OPEN_MARKS, '');
  return textLine(before, state, withoutMarks(shown, isComplete), isComplete);
}

function withoutMarks(line: string, isComplete: boolean): string {
  if (!/[\uE200†]/.test(line)) return line;
  const text = line.replace(SOURCE_MARK, '');
  return isComplete ? text : text.replace(OPEN_SOURCE_MARK, '');
}

/** Whether the last line is the head of a table whose second line is still to come. */
const isGrowingHead = ({ fence, last, isFirst, cells }: State): boolean =>
  fence === null && cells === 0 && (isFirst ? TABLE_HEAD : CELL_HEAD).test(last);

function textLine(before: State, state: State, line: string, isComplete: boolean): Mended {
  const placed = withoutPlacing(before.placing, line, isComplete);
  if (placed) {
    const { out, placing, isText } = placed;
    return { out, state: { ...state, placing, cells: 0, last: isText ? line : '' } };
  }
  // The bar of a row whose text is to come.
  if (!isComplete && line.trim() === '|' && !isGrowingHead(before)) return { out: '', state };
  if (before.cells > 0 && line.includes('|')) {
    const isSplit = line.includes('`') && cellCount(line) > before.cells;
    return { out: isSplit ? escapeBars(line) : line, state };
  }
  const isItem = ITEM.test(line);
  // A text directly below the rows of a table is no row, and a bold text or a tag directly below a list begins what
  // comes next.
  const isBelowTable = before.cells > 0 && ROW.test(before.last);
  const [, tag] = BLOCK_TAG.exec(line) ?? [];
  // Without an end it may be a line of a formula: `<x`.
  const isTag = tag !== undefined && line.includes('>') && !MEANT_TAGS.has(tag.toLowerCase());
  const beginsNext = BOLD.test(line) || (isTag && LONE_TAG.test(line));
  // Without the columns of its item, a table would be a text.
  const isBelowHead = before.last.includes('|') && /^[ \t|:–—−-]*$/.test(line);
  const isTableBelow =
    SPACED_HEAD.test(line) &&
    !SPACED_HEAD.test(before.last) &&
    !isBelowHead &&
    columnsBefore(line) < (before.items.at(-1)?.text ?? 0);
  const isBelowList = before.items.length > 0 && before.last !== '' && (beginsNext || isTableBelow);
  if (isItem ? before.isApart : isBelowTable || isBelowList) {
    const items = isBelowList ? [] : state.items;
    const isApart = isBelowList || (before.isApart && !isItem);
    const above: State = { ...before, items, last: '', cells: 0, isApart: false };
    const apart = textLine(above, { ...state, items, isFirst: true, isApart }, line, isComplete);
    return { ...apart, out: `\n${apart.out}` };
  }
  const next: State = { ...state, cells: 0 };
  if (isGrowingHead(before) ? isComplete || /^[ \t|:-]*$/.test(line) : before.last.includes('|') && isComplete) {
    const cells = cellCount(before.last.replace(MARKERS, ''));
    const delimiters = line.replace(LONG_DASH, '-');
    if (isDelimiterRow(delimiters)) return { out: withCells(delimiters, cells), state: { ...state, cells } };
    if (!isComplete) return { out: delimiterRow(before.last), state: { ...state, cells } };
  }
  // Ticks that grow are code or a fence.
  if (!isComplete && (/^[ \t>]*[`~]{1,2}$/.test(line) || OPEN_DEFINITION.test(line))) return { out: '', state: next };
  if (!isComplete && OPEN_COMPARISON.test(line)) return { out: line.replace(OPEN_COMPARISON, '$1'), state: next };
  // Dashes and stars that grow are a list, a rule or bold text of an item, which is not known yet.
  if (!isComplete && /^[ \t]*(?:[-*][-* \t]*|_[_ \t]*)$/.test(line)) return { out: '', state: next };
  if (!isComplete && before.last !== '' && /^[ \t]*(?:=+|\+)[ \t]*$/.test(line)) return { out: '', state: next };
  // A number that grows may be that of the next item.
  if (!isComplete && (before.items.length > 0 || before.isApart) && /^[ \t]*\d{1,9}[.)]?$/.test(line))
    return { out: '', state: next };
  // Number signs that grow may be those of a title or of a hashtag.
  if (!isComplete && /^ {0,3}#+$/.test(line)) return { out: '', state: next };
  // A table has its form from the first letter on; below a text, from the end of its first cell on.
  if (!isComplete && !state.isFirst && SPACED_HEAD.test(line) && !CELL_HEAD.test(line)) return { out: '', state: next };
  if (!isComplete && isGrowingHead(state)) return { out: `${line}\n${delimiterRow(line)}`, state: next };
  // Models write titles with number signs: dashes below a paragraph are a rule, and not the line below a title.
  if (isComplete && /^---[ \t]*$/.test(line)) return { out: before.last === '' ? line : `\n${line}`, state: next };
  if (DETAILS.test(line)) return { out: separated(line), state: { ...next, last: '' } };
  if (isTag) return { out: line.replace('<', String.raw`\<`), state: next };
  // Such an item is code.
  const isIndented = columnsBefore(line) - (state.items.at(-2)?.text ?? 0) >= 4;
  const mended = line
    .replace(HEADING, '$1 ')
    .replace(COMPARISON, isIndented ? '$&' : String.raw`$1\>`)
    .replace(SPACED_ADDRESS, (_, address: string) => `](${address.replaceAll(' ', '%20')})`);
  return { out: mended, state: next };
}

/** The tags of a folded text on lines of their own, so that the text between them is Markdown. */
function separated(line: string): string {
  const lines = line.replace(/(<\/summary>|<\/details>)(?=.)/gi, '$1\n\n').replace(/(.)(?=<\/details>)/gi, '$1\n\n');
  const isOpening = /^[ \t]*<(?:details|summary)\b/i.test(line) && !/<\/summary>/i.test(line);
  return isOpening ? lines : `${lines}\n`;
}

/** The info string of a fence, and the code that stands on its line. */
function codeOnFence(info: string): { language: string; code?: string; rest?: string } {
  const [, language = '', rest = ''] = INFO.exec(info) ?? [];
  if (rest === '') return { language: info };
  if (CODE_START.test(rest)) return { language, code: rest };
  if (PROGRAM.test(language)) return { language: '', code: info.trim() };
  return { language: info, rest };
}

function openFence(state: State, prefix: string, ticks: string, written: string): Mended {
  const { language: info, code, rest } = codeOnFence(written);
  const columns = widthOf(prefix);
  const hasMarker = prefix.trim() !== '';
  const container = state.items.findLast(({ text }) => text <= columns)?.text ?? 0;
  // Four columns more than its container would make it an indented block, with the fence as its text.
  const base = hasMarker || columns - container < 4 ? columns : container;
  const isMarkdown = state.nests && MARKDOWN.test(info) && ticks.length < OUTER_LENGTH;
  const fence: Fence = { mark: ticks[0]!, length: ticks.length, columns, base, inner: isMarkdown ? 0 : null, rest };
  const shown = isMarkdown ? fence.mark.repeat(OUTER_LENGTH) : ticks;
  const begun = code === undefined ? '' : `\n${' '.repeat(base)}${code}`;
  return {
    out: `${hasMarker ? prefix : ' '.repeat(base)}${shown}${info}${begun}`,
    state: { ...state, fence, last: '', cells: 0 },
  };
}

/** A table that is written as HTML, which is seen once it is whole. What is no such table is text. */
function inHtmlTable(table: OpenTable, written: string, isComplete: boolean): Mended | Held {
  const { before } = table;
  const read = readTable(table, written, isComplete);
  if (read === null) {
    const lines = table.source + written;
    const end = lines.lastIndexOf('\n') + 1;
    if (end === 0) return nextLine(before, lines, isComplete, false);
    const above = asText(before, lines.slice(0, end));
    return below(above.out, nextLine(above.state, lines.slice(end), isComplete));
  }
  if (!('rows' in read)) return { out: null, state: { ...before, table: { ...read, before } } };
  const out = `\n${read.rows}\n`;
  const state: State = { ...before, last: '', cells: 0 };
  return read.rest === '' ? { out, state } : below(out, nextLine(state, read.rest, isComplete));
}

const below = (above: string, { out, state }: Mended | Held): Mended => ({
  out: out === null ? above : `${above}\n${out}`,
  state,
});

/** Lines that began no table. */
function asText(before: State, lines: string): Mended {
  const shown: string[] = [];
  let state = before;
  for (const line of lines.slice(0, -1).split('\n')) {
    const next = nextLine(state, line, true, false);
    shown.push(next.out ?? '');
    state = next.state;
  }
  return { out: shown.join('\n'), state };
}

/** Longer than what scripts have inside. */
const PAGE_FENCE = '`````';

function inPage(page: string, state: State, line: string, isComplete: boolean): Mended {
  const isEnd = isComplete && line.trimEnd().toLowerCase().endsWith(`</${page.toLowerCase()}>`);
  return isEnd ? { out: `${line}\n${PAGE_FENCE}`, state: { ...state, fence: null, last: '' } } : { out: line, state };
}

function inFence(written: Fence, before: State, line: string, last: string, isComplete: boolean): Mended {
  const { rest, ...fence } = written;
  const state = isComplete && rest ? { ...before, fence } : before;
  const body = withoutColumns(line, fence.columns);
  const indent = ' '.repeat(fence.base);
  const [start = '', ticks = ''] = /^ {0,3}(`+|~+)/.exec(body) ?? [];
  const info = body.slice(start.length).replace(/^[ \t]+/, '');
  if (!ticks.startsWith(fence.mark) || info.includes('`')) return { out: indent + body, state };
  const mayClose = ticks.length >= fence.length && info === '';
  // Ticks that grow are not shown as code: they may close the block, or open one inside of it.
  if (!isComplete && info === '' && (!mayClose || fence.inner !== null)) return { out: '', state };
  if (fence.inner !== null && ticks.length >= 3) {
    const opens = info !== '' || (fence.inner === 0 && /[:：]$/.test(last.trimEnd()));
    if (opens || fence.inner > 0) {
      const inner = fence.inner + (opens ? 1 : -1);
      return { out: indent + body, state: { ...state, fence: { ...fence, inner } } };
    }
  }
  if (!mayClose) return { out: indent + body, state };
  const shown = fence.inner === null ? ticks : fence.mark.repeat(OUTER_LENGTH);
  const late = rest === undefined ? '' : `${indent}${rest}\n`;
  return { out: late + indent + shown, state: { ...state, fence: null, last: '' } };
}

/** The line where it belongs, and the list items that are open after it. */
function itemsAt(state: State, written: string): { line: string; shift: State['shift']; items: State['items'] } {
  const { line, shift } = shifted(state.shift, written);
  const columns = columnsBefore(line);
  const [, , marker = '', space = ''] = ITEM.exec(line) ?? [];
  const { items } = state;
  const kept = items.filter(({ text }) => text <= columns);
  const above = items.at(-1) ?? { marker: 0, text: 0 };
  // A list below "1." needs three columns, and models write two.
  if (marker && shift === null && columns >= 2 && columns > above.marker && columns < above.text) {
    const isBelowNumber = kept.length === items.length - 1 && kept.at(-1)?.text !== columns;
    if (isBelowNumber && above.text - columns <= 2) {
      const begun = { from: columns, by: above.text - columns };
      return { ...itemsAt({ ...state, shift: begun }, written), shift: begun };
    }
  }
  if (!marker && state.last !== '' && !/^ {0,3}#/.test(line)) return { line, shift, items };
  const text = columns + marker.length + (space.length > 4 ? 1 : Math.max(1, space.length));
  return { line, shift, items: marker ? [...kept, { marker: columns, text }] : kept };
}

function shifted(shift: State['shift'], line: string): { line: string; shift: State['shift'] } {
  if (shift === null || columnsBefore(line) < shift.from) return { line, shift: null };
  return { line: ' '.repeat(shift.by) + line, shift };
}

/** The columns of the indentation of a line. */
const columnsBefore = (line: string): number => widthOf(/^[ \t]*/.exec(line)![0]);

/** The columns of a text; a tab reaches to the next fourth one. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character === '\t' ? 4 - (width % 4) : 1;
  return width;
}

/** A line without so many columns of its indentation, or without all of it. */
function withoutColumns(line: string, columns: number): string {
  let width = 0;
  let at = 0;
  while (width < columns && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? 4 - (width % 4) : 1;
    at += 1;
  }
  return ' '.repeat(Math.max(0, width - columns)) + line.slice(at);
}
