import {
  columnFilteringFeature,
  constructFilterFn,
  constructSortFn,
  createColumnHelper,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  metaHelper,
  type ReactTable,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  type TableOptions,
} from '@tanstack/react-table';

export interface ColumnMeta {
  align?: 'start' | 'end';
  /** Place of the cell on a card; by default a line of its own beside the column's header. */
  card?: 'title' | 'corner' | 'footer';
  /**
   * The share in percent of the width that the other columns of a table leave, and the least width in rem. Its texts are
   * cut to one line, so they need a tooltip. By default a column is as wide as its longest word.
   */
  share?: { percent: number; min: number };
}

/** The parts of TanStack Table that the tables of this product use. */
export const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  sortedRowModel: createSortedRowModel(),
  filterFns: {
    /** Case-insensitive search that ignores spaces around the text. */
    includesText: constructFilterFn({
      filter: (cell: string, text: string) => cell.includes(text),
      autoRemove: (text) => String(text).trim() === '',
      resolveFilterValue: (text) => String(text).trim().toLowerCase(),
      resolveDataValue: (cell) => String(cell ?? '').toLowerCase(),
    }),
  },
  sortFns: {
    /** Texts in the reader's alphabet with numbers in numeric order (`Row 2` before `Row 10`), other values as numbers. */
    natural: constructSortFn({
      sort: (a: unknown, b: unknown) =>
        typeof a === 'string' && typeof b === 'string'
          ? a.localeCompare(b, undefined, { numeric: true })
          : Number(a) - Number(b),
    }),
  },
  columnMeta: metaHelper<ColumnMeta>(),
});

export type DataTableInstance<T extends object> = ReactTable<typeof features, T>;
export type DataTableColumns<T extends object> = TableOptions<typeof features, T>['columns'];

/** Builds the columns of a table of `T`. Keep them stable: a new column definition remounts its cells. */
export const columnHelperFor = <T extends object>() => createColumnHelper<typeof features, T>();
