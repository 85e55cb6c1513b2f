import { copyText } from '../../components/buttons/copy-text';

/** The shown texts of a table, by rows. A formula is its source. */
export function cellsOf(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) => [...row.cells].map(cellText));
}

function cellText(cell: HTMLTableCellElement): string {
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const formula of copy.querySelectorAll('.katex')) {
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? formula.textContent);
  }
  for (const lineBreak of copy.querySelectorAll('br')) lineBreak.replaceWith('\n');
  const lines = copy.textContent.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join('\n');
}

/** Spreadsheets read a tab as the next cell. */
export const toTsv = (cells: readonly string[][]): string =>
  cells.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')).join('\n');

/** CSV by RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe; a number does not. */
export const toCsv = (cells: readonly string[][]): string =>
  cells.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

const NUMBER = /^[+-]?[\d.,\s]+%?$/;

function csvCell(cell: string): string {
  const safe = /^[=+\-@\t]/.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Plain HTML of the table: documents paste it as a table of their own style. */
function toHtml(cells: readonly string[][]): string {
  const table = document.createElement('table');
  for (const [index, row] of cells.entries()) {
    const line = table.insertRow();
    for (const text of row) {
      const cell = document.createElement(index === 0 ? 'th' : 'td');
      cell.textContent = text;
      line.append(cell);
    }
  }
  return table.outerHTML;
}

/** Copies a table as HTML and as text with tabs. @returns whether the browser allowed it */
export async function copyTable(table: HTMLTableElement): Promise<boolean> {
  const cells = cellsOf(table);
  const tsv = toTsv(cells);
  try {
    const types = { 'text/html': toHtml(cells), 'text/plain': tsv };
    const blobs = Object.entries(types).map(([type, text]) => [type, new Blob([text], { type })] as const);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    return true;
  } catch {
    // No clipboard for several types, as on plain HTTP, or no permission.
    return copyText(tsv);
  }
}

/** Saves a table as a CSV file, with the mark by which spreadsheets read it as UTF-8. */
export function downloadCsv(table: HTMLTableElement): void {
  const address = URL.createObjectURL(new Blob(['\ufeff', toCsv(cellsOf(table))], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'table.csv';
  link.click();
  // The download reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
