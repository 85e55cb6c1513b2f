import { Flex } from '@chakra-ui/react';
import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { USER_SORTS, type AdminUser, type UserSort } from '@tanya/contract';
import { useEffect, useMemo, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { CsvButton } from '../../components/buttons/csv-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { showFailure } from '../../components/feedback/fail';
import { SearchField } from '../../components/forms/search-field';
import { useDebounced } from '../../components/hooks/use-debounced';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { Pager } from '../../components/tables/pager';
import { SelectionBar, SelectionContext, useSelection } from '../../components/tables/selection';
import { usePlainTable } from '../../components/tables/use-plain-table';
import type { UserDialogKind } from './user-actions';
import { UserBatchDialog } from './user-batch-dialog';
import { choosable, UserCard, userColumns } from './user-columns';
import { api } from '../../app/api/api-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { Select } from '../../components/forms/select';

interface UsersView {
  query: string;
  sort: UserSort;
  limit: number;
  filter: Filter;
  before: string | null;
}

/** No event tells of other people's accounts, so every visit reads them again. */
const adminUsersQuery = (view: UsersView) =>
  queryOptions({
    queryKey: ['admin', 'users', view],
    queryFn: ({ signal }) => api.getPage<AdminUser>(`/api/admin/users?${searchOf(view)}`, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

function searchOf({ sort, limit, before, ...view }: UsersView): string {
  const search = filterOf(view);
  search.set('sort', sort);
  search.set('limit', String(limit));
  if (before) search.set('before', before);
  return search.toString();
}

function filterOf({ query, filter }: Pick<UsersView, 'query' | 'filter'>): URLSearchParams {
  const search = new URLSearchParams(filter);
  if (query) search.set('query', query);
  return search;
}

const SEARCH_DEBOUNCE_MS = 250;
/** Width in px of the columns with names and addresses of common length. */
const MIN_WIDTH = 840;

interface UsersTableProps {
  /** Must be stable: a new function remounts the cells and loses their focus. */
  onOpen: (kind: UserDialogKind, user: AdminUser) => void;
}

export function UsersTable({ onOpen }: UsersTableProps) {
  const view = useUsersView();
  const users = useQuery(adminUsersQuery(view.current));
  const { error } = users;
  useEffect(() => {
    if (error) showFailure('users.fetchError', error);
  }, [error]);
  // Until a page arrives, the rows and the cursor are those of the page before.
  const page = users.isPlaceholderData ? undefined : users.data;
  // The only account of a later page was deleted.
  if (view.from > 0 && page?.items.length === 0) view.previous();
  const columns = useMemo(() => userColumns(onOpen), [onOpen]);
  const { data: me } = useQuery(currentUserQuery);
  const selection = useSelection();
  const [isChanging, setIsChanging] = useState(false);
  const table = usePlainTable({ rows: users.data?.items, columns, rowId: (user) => String(user.id) });

  return (
    <Panel
      title={t('usersPage.list')}
      action={
        <Flex gap="2" wrap="wrap">
          <CsvButton size="sm" path={`/api/admin/users.csv?${filterOf(view.current).toString()}`} />
          <RefreshButton busy={users.isFetching} onClick={() => void users.refetch()} />
        </Flex>
      }
    >
      <Flex mb="3" gap="3" wrap="wrap" justify="space-between">
        <SearchField label={t('usersPage.search')} value={view.search} onChange={view.setSearch} />
        <Flex gap="3" wrap="wrap" width={{ base: 'full', sm: 'auto' }}>
          <FilterSelect filter={view.current.filter} onFilter={view.setFilter} />
          <SortSelect sort={view.current.sort} onSort={view.setSort} />
        </Flex>
      </Flex>
      {error ? (
        <LoadError message={t('users.fetchError')} onRetry={users.refetch} />
      ) : (
        <SelectionContext value={selection}>
          <SelectionBar
            rows={users.data?.items.filter(({ id }) => id !== me?.id).map(choosable)}
            onChange={() => setIsChanging(true)}
          />
          <DataTable
            label={t('usersPage.list')}
            minWidth={MIN_WIDTH}
            table={table}
            card={(user) => <UserCard user={user} onOpen={onOpen} />}
            isLoading={!users.data}
            empty={view.current.query || view.current.filter ? t('usersPage.noMatch') : t('users.empty')}
          />
          <Pager
            from={view.from}
            shown={users.data?.items.length ?? 0}
            total={users.data?.total}
            hasNext={Boolean(page?.nextCursor)}
            onPrevious={view.previous}
            onNext={() => view.next(page?.nextCursor ?? null)}
            pageSize={view.current.limit}
            onPageSize={view.setLimit}
          />
        </SelectionContext>
      )}
      {isChanging && <UserBatchDialog selection={selection} onClose={() => setIsChanging(false)} />}
    </Panel>
  );
}

/** Search, order and page of the list. The cursors of all earlier pages are kept, because the server only pages forward. */
function useUsersView() {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<UserSort>('newest');
  const [filter, setFilter] = useState<Filter>('');
  const [limit, setLimit] = useState(50);
  const [cursors, setCursors] = useState<string[]>([]);
  const query = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS);
  const restarting =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setCursors([]);
    };
  const current = { query, limit, sort, filter, before: cursors[cursors.length - 1] ?? null };
  return {
    current,
    search,
    from: cursors.length * limit,
    setSearch: restarting(setSearch),
    setSort: restarting(setSort),
    setFilter: restarting(setFilter),
    setLimit: restarting(setLimit),
    next: (cursor: string | null) => cursor && setCursors([...cursors, cursor]),
    previous: () => setCursors(cursors.slice(0, -1)),
  };
}

const SORT_LABELS = {
  newest: 'usersPage.newest',
  oldest: 'usersPage.oldest',
  username: 'usersPage.byName',
  cost: 'people.byCost',
  lastSeen: 'people.byLastSeen',
} as const satisfies Record<UserSort, string>;

/** The filter of each choice, as the server takes it. */
const FILTERS = {
  '': 'people.all',
  'waiting=true': 'people.waiting',
  'suspended=true': 'people.suspendedOnly',
  'plan=free': 'people.freePlan',
  'plan=premium': 'people.premiumPlan',
  'admin=true': 'people.admins',
  'service=true': 'people.services',
} as const;

type Filter = keyof typeof FILTERS;

interface FilterSelectProps {
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

const FilterSelect = ({ filter, onFilter }: FilterSelectProps) => (
  <Select
    root={{ size: 'sm', flex: 1, minWidth: '9rem', maxWidth: '13rem' }}
    aria-label={t('people.filter')}
    value={filter}
    onChange={(event) => onFilter(event.target.value as Filter)}
    options={Object.entries(FILTERS).map(([value, key]) => [value, t(key)])}
  />
);

function SortSelect({ sort, onSort }: { sort: UserSort; onSort: (sort: UserSort) => void }) {
  return (
    <Select
      root={{ size: 'sm', flex: 1, minWidth: '9rem', maxWidth: '13rem' }}
      aria-label={t('usersPage.order')}
      value={sort}
      onChange={(event) => onSort(event.target.value as UserSort)}
      options={USER_SORTS.map((name) => [name, t(SORT_LABELS[name])])}
    />
  );
}
