import { useTable } from '@tanstack/react-table';
import { type DataTableColumns, features } from './table-features';

const NO_ROWS: never[] = [];

interface PlainTableOptions<T extends object> {
  /** The rows of this page in their final order; undefined while they load. */
  rows: T[] | undefined;
  columns: DataTableColumns<T>;
  rowId: (row: T) => string;
}

/** A table that shows its rows as given, such as a page that the server has searched and sorted. */
export function usePlainTable<T extends object>({ rows, columns, rowId }: PlainTableOptions<T>) {
  return useTable({
    features,
    columns,
    data: rows ?? NO_ROWS,
    getRowId: rowId,
    defaultColumn: { enableSorting: false },
    manualFiltering: true,
    manualPagination: true,
    manualSorting: true,
  });
}
