import { act, renderHook } from '@testing-library/react';
import { useLocalTable } from './use-local-table';

interface Row {
  name: string;
  size: number;
}

const searchable = (row: Row) => [row.name];
const valueOf = (row: Row, column: string) => (column === 'size' ? row.size : row.name);
const rows: Row[] = Array.from({ length: 120 }, (_, index) => ({ name: `Row ${index}`, size: -index }));

const table = () => renderHook(() => useLocalTable({ rows, searchable, valueOf }));

describe('useLocalTable', () => {
  it('pages through all rows', () => {
    const { result } = table();
    expect(result.current.shown).toHaveLength(50);
    act(() => result.current.pager.onNext());
    act(() => result.current.pager.onNext());
    expect(result.current.shown?.map(({ name }) => name)).toEqual(rows.slice(100).map(({ name }) => name));
    expect(result.current.pager).toMatchObject({ from: 100, shown: 20, total: 120, hasNext: false });
  });

  it('goes back to the first page when the search changes', () => {
    const { result } = table();
    act(() => result.current.pager.onNext());
    act(() => result.current.setSearch('ROW 11'));
    expect(result.current.pager.from).toBe(0);
    expect(result.current.shown?.map(({ name }) => name)).toEqual([
      'Row 11',
      ...rows.slice(110).map(({ name }) => name),
    ]);
  });

  it('sorts numbers as numbers and names with their numbers in order', () => {
    const { result } = table();
    act(() => result.current.setSort({ key: 'size', descending: false }));
    expect(result.current.shown?.[0]?.name).toBe('Row 119');
    act(() => result.current.setSort({ key: 'name', descending: false }));
    expect(result.current.shown?.slice(0, 3).map(({ name }) => name)).toEqual(['Row 0', 'Row 1', 'Row 2']);
  });
});
