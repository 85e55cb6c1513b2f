import { useTable } from '@tanstack/react-table';
import { useLayoutEffect } from 'react';
import { type DataTableColumns, type DataTableInstance, features } from './table-features';

const NO_ROWS: never[] = [];

interface LocalTableOptions<T extends object> {
  /** All rows; undefined while they load. */
  rows: T[] | undefined;
  columns: DataTableColumns<T>;
  rowId: (row: T) => string;
}

/**
 * A table that is searched, sorted and paged in the browser. A column opts in with `enableSorting` and
 * `enableGlobalFilter`. New rows keep the page, or the last one that exists; a new search starts at the first one.
 */
export function useLocalTable<T extends object>({ rows, columns, rowId }: LocalTableOptions<T>) {
  const table = useTable({
    features,
    columns,
    data: rows ?? NO_ROWS,
    getRowId: rowId,
    initialState: { pagination: { pageIndex: 0, pageSize: 50 }, globalFilter: '' },
    defaultColumn: { enableSorting: false, enableGlobalFilter: false, sortFn: 'natural', sortDescFirst: false },
    globalFilterFn: 'includesText',
    autoResetPageIndex: false,
    enableMultiSort: false,
  });
  const { pageIndex } = table.state.pagination;
  const lastPage = Math.max(table.getPageCount() - 1, 0);
  useLayoutEffect(() => {
    if (pageIndex > lastPage) table.setPageIndex(lastPage);
  }, [pageIndex, lastPage, table]);

  return {
    table,
    search: String(table.state.globalFilter),
    setSearch: (text: string) => {
      table.setGlobalFilter(text);
      table.firstPage();
    },
    pager: pagerOf(table),
  };
}

function pagerOf<T extends object>(table: DataTableInstance<T>) {
  const { pageIndex, pageSize } = table.state.pagination;
  return {
    from: pageIndex * pageSize,
    shown: table.getRowModel().rows.length,
    total: table.getRowCount(),
    hasNext: table.getCanNextPage(),
    onPrevious: () => table.previousPage(),
    onNext: () => table.nextPage(),
    pageSize,
    onPageSize: (size: number) => table.setPagination({ pageIndex: 0, pageSize: size }),
  };
}
