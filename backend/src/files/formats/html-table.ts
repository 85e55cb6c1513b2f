import type { FormatCallback } from 'html-to-text';

type Node = Parameters<FormatCallback>[0];

interface Cell {
  colspan: number;
  rowspan: number;
  text: string;
}

/** Columns that one cell covers at most: each is a tab. */
const MAX_COLUMNS = 100;

const GROUPS = new Set(['thead', 'tbody', 'tfoot', 'center']);

/**
 * A row of a table in a line, with tabs between the cells. The library's own format takes the square of the rows, pads
 * columns with spaces, and leaves out captions.
 */
export const formatTable: FormatCallback = (table, walk, builder) => {
  for (const caption of childrenOf(table, ['caption'])) {
    builder.openBlock();
    walk(caption.children, builder);
    builder.closeBlock();
  }
  builder.openTable();
  for (const row of rowsOf(table)) {
    builder.openTableRow();
    for (const cell of childrenOf(row, ['td', 'th'])) {
      const { colspan, rowspan } = (cell.attribs ?? {}) as Record<string, string | undefined>;
      builder.openTableCell();
      walk(cell.children, builder);
      builder.closeTableCell({ colspan: Math.min(numberOf(colspan), MAX_COLUMNS), rowspan: numberOf(rowspan) });
    }
    builder.closeTableRow();
  }
  builder.closeTable({ tableToString: textOf });
};

const childrenOf = (node: Node, names: readonly string[]): Node[] =>
  node.children.filter(({ name = '' }) => names.includes(name));

const rowsOf = (node: Node): Node[] =>
  node.children.flatMap((child) => (child.name === 'tr' ? [child] : GROUPS.has(child.name ?? '') ? rowsOf(child) : []));

const numberOf = (given = '1'): number => Math.max(1, Math.trunc(Number(given)) || 1);

function textOf(rows: readonly (readonly Cell[])[]): string {
  /** The rows that a cell above still covers, by column. */
  const covered: number[] = [];
  return rows
    .map((cells) => lineOf(cells, covered))
    .filter((line) => line !== '')
    .join('\n');
}

function lineOf(cells: readonly Cell[], covered: number[]): string {
  let line = '';
  let column = 0;
  for (const { text, colspan, rowspan } of cells) {
    for (; (covered[column] ?? 0) > 0; column += 1) {
      covered[column]! -= 1;
      line += '\t';
    }
    line += text + '\t'.repeat(colspan);
    for (const end = column + colspan; column < end; column += 1) covered[column] = rowspan - 1;
  }
  for (; column < covered.length; column += 1) covered[column] = Math.max(0, covered[column]! - 1);
  return line.trimEnd();
}
