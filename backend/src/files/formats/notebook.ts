import { readHtmlText } from './html-text.js';
import { MAX_SECTIONS, type SectionCollector } from './sections.js';
import { decodeAnyText } from './text/text-file.js';
import { withoutColours } from '../inspection/text-content.js';

type Lines = string | string[] | undefined;

/** What a cell has given (nbformat 4). Version 3 has the contents of `data` beside the type. */
interface Output {
  output_type?: string;
  text?: Lines;
  html?: Lines;
  data?: Record<string, unknown> | null;
  ename?: string;
  evalue?: string;
  traceback?: Lines;
}

interface Cell {
  cell_type?: string;
  source?: Lines;
  /** The source in version 3. */
  input?: Lines;
  outputs?: Output[];
}

interface Notebook {
  cells?: Cell[];
  /** The cells of version 3. */
  worksheets?: { cells?: Cell[] }[];
  metadata?: { kernelspec?: { language?: string }; language_info?: { name?: string } };
}

/** Reads a Jupyter notebook: its cells in order, code with the text of its outputs. Other JSON stays as it is. */
export function readNotebook(bytes: Buffer, out: SectionCollector): void {
  const text = decodeAnyText(bytes)?.text ?? '';
  const notebook = parse(text);
  if (notebook === null) {
    out.add(text);
    return;
  }
  const { cells, worksheets, metadata } = notebook;
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? '';
  const all = cells ?? listOf(worksheets).flatMap((sheet) => listOf(sheet.cells));
  for (const [index, cell] of all.slice(0, MAX_SECTIONS).entries()) {
    if (out.isFull) return;
    const source = joined(cell.source ?? cell.input).trim();
    const outputs = listOf(cell.outputs).map(outputText).filter(Boolean).join('\n');
    out.begin('part', `cell ${index + 1}`);
    if (cell.cell_type !== 'code') out.add(source);
    else out.add(`\`\`\`${language}\n${source}\n\`\`\``);
    if (outputs !== '') out.add(`\nOutput:\n${outputs}`);
  }
}

const listOf = <T>(value: T[] | undefined): T[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

function parse(text: string): Notebook | null {
  try {
    const value = JSON.parse(text) as Notebook | null;
    const isNotebook = Array.isArray(value?.cells) || Array.isArray(value?.worksheets);
    return isNotebook ? { ...value, cells: value.cells && listOf(value.cells) } : null;
  } catch {
    return null;
  }
}

const joined = (lines: unknown): string =>
  Array.isArray(lines)
    ? lines.filter((line) => typeof line === 'string').join('')
    : typeof lines === 'string'
      ? lines
      : '';

/** Text before HTML, as tables of data are in both; a picture is named alone. */
function outputText({ output_type: type, text, html, data: given, ename, evalue, traceback }: Output): string {
  const data = given ?? {};
  if (type === 'error' || type === 'pyerr') {
    const trace = Array.isArray(traceback) ? traceback.join('\n') : joined(traceback);
    return withoutColours(trace || `${ename ?? ''}: ${evalue ?? ''}`).trim();
  }
  const plain = joined(text) || joined(data['text/markdown']) || joined(data['text/plain']);
  if (plain !== '') return withoutColours(plain).trimEnd();
  const markup = joined(html) || joined(data['text/html']);
  if (markup !== '') return readHtmlText(Buffer.from(markup), 'text/html; charset=utf-8');
  return Object.keys(data).some((key) => key.startsWith('image/')) ? '(picture)' : '';
}
