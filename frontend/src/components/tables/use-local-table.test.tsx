import { act, renderHook } from '@testing-library/react';
import { columnHelperFor } from './table-features';
import { useLocalTable } from './use-local-table';

interface Row {
  name: string;
  size: number;
  note: string;
}

const column = columnHelperFor<Row>();
const columns = column.columns([
  column.accessor('name', { header: 'Name', enableSorting: true, enableGlobalFilter: true }),
  column.accessor('size', { header: 'Size', enableSorting: true }),
  column.accessor('note', { header: 'Note' }),
]);
const rows: Row[] = Array.from({ length: 120 }, (_, index) => ({
  name: `Row ${index}`,
  size: -index,
  note: 'harbour',
}));

const showTable = (initial = rows) => {
  const { result, rerender } = renderHook(
    (props: { rows: Row[] }) => useLocalTable({ ...props, columns, rowId: ({ name }) => name }),
    { initialProps: { rows: initial } },
  );
  return {
    current: () => result.current,
    names: () => result.current.table.getRowModel().rows.map(({ original }) => original.name),
    replaceRows: (next: Row[]) => rerender({ rows: next }),
    sort: (id: string, descending = false) => act(() => result.current.table.getColumn(id)?.toggleSorting(descending)),
  };
};
const namesOf = (list: Row[]) => list.map(({ name }) => name);

describe('useLocalTable', () => {
  it('pages through all rows', () => {
    const { current, names } = showTable();
    expect(names()).toHaveLength(50);
    act(() => current().pager.onNext());
    act(() => current().pager.onNext());
    expect(names()).toEqual(namesOf(rows.slice(100)));
    expect(current().pager).toMatchObject({ from: 100, shown: 20, total: 120, hasNext: false });
    act(() => current().pager.onPageSize(200));
    expect(current().pager).toMatchObject({ from: 0, shown: 120 });
  });

  it('returns to the first page when the search changes', () => {
    const { current, names } = showTable();
    act(() => current().pager.onNext());
    act(() => current().setSearch(' ROW 11 '));
    expect(current().pager.from).toBe(0);
    expect(names()).toEqual(['Row 11', ...namesOf(rows.slice(110))]);
  });

  it('searches only the columns that opt in', () => {
    const { current, names } = showTable();
    act(() => current().setSearch('harbour'));
    expect(names()).toEqual([]);
  });

  it('sorts numbers by value and texts with their numbers in order', () => {
    const { names, sort } = showTable();
    sort('size');
    expect(names()[0]).toBe('Row 119');
    sort('size', true);
    expect(names()[0]).toBe('Row 0');
    sort('name');
    expect(names().slice(0, 3)).toEqual(['Row 0', 'Row 1', 'Row 2']);
  });

  it('keeps the page when rows change, and shows the last one when it no longer exists', () => {
    const { current, names, replaceRows } = showTable();
    act(() => current().pager.onNext());
    act(() => current().pager.onNext());
    replaceRows(rows.map((row) => ({ ...row, size: 0 })));
    expect(current().pager.from).toBe(100);
    replaceRows(rows.slice(0, 100));
    expect(current().pager.from).toBe(50);
    expect(names()).toEqual(namesOf(rows.slice(50, 100)));
    replaceRows([]);
    expect(current().pager.from).toBe(0);
  });
});
