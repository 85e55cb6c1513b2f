import { useMemo, useState } from 'react';
import type { Sort } from './data-table';

type Cell = string | number | boolean | null;

interface LocalTableOptions<T> {
  rows: T[] | undefined;
  /** The texts that a search looks through. */
  searchable: (row: T) => (string | null)[];
  /** The value by which a column sorts. */
  valueOf: (row: T, column: string) => Cell;
}

/** Search, sort and paging of a list that is here as a whole. Give it functions that stay the same. */
export function useLocalTable<T>({ rows, searchable, valueOf }: LocalTableOptions<T>) {
  const [search, setSearchText] = useState('');
  const [sort, setSort] = useState<Sort | undefined>();
  const [pageSize, setPageSize] = useState(50);
  const [from, setFrom] = useState(0);

  const found = useMemo(() => {
    if (!rows) return undefined;
    const wanted = search.trim().toLowerCase();
    const matching = wanted
      ? rows.filter((row) => searchable(row).some((text) => text?.toLowerCase().includes(wanted)))
      : rows;
    if (!sort) return matching;
    const direction = sort.descending ? -1 : 1;
    return [...matching].sort((a, b) => direction * compare(valueOf(a, sort.key), valueOf(b, sort.key)));
  }, [rows, search, sort, searchable, valueOf]);

  const start = found && from >= found.length ? 0 : from;
  return {
    search,
    setSearch: (text: string) => {
      setSearchText(text);
      setFrom(0);
    },
    sort,
    setSort,
    shown: found?.slice(start, start + pageSize),
    pager: {
      from: start,
      shown: Math.min(pageSize, (found?.length ?? 0) - start),
      total: found?.length ?? 0,
      hasNext: start + pageSize < (found?.length ?? 0),
      onPrevious: () => setFrom(Math.max(0, start - pageSize)),
      onNext: () => setFrom(start + pageSize),
      pageSize,
      onPageSize: (size: number) => {
        setPageSize(size);
        setFrom(0);
      },
    },
  };
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, undefined, { numeric: true });
  return Number(a) - Number(b);
}
