import { Badge, Box, Flex, NativeSelect, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS, USER_SORTS, type AdminUser, type UserSort } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { errorText } from '../../app/api/api-error';
import { DataTable, type Column } from '../../components/tables/data-table';
import { LoadError } from '../../components/feedback/load-error';
import { notify } from '../../components/feedback/notify';
import { Pager } from '../../components/tables/pager';
import { Panel } from '../../components/layout/panel';
import { RefreshButton } from '../../components/tables/refresh-button';
import { SearchField } from '../../components/tables/search-field';
import { useDebounced } from '../../components/timing/use-debounced';
import { UserActions, type UserDialogKind } from './user-actions';
import { adminUsersQuery } from './users.query';

const SEARCH_REST_MS = 250;

export function UsersTable({ onOpen }: { onOpen: (kind: UserDialogKind, user: AdminUser) => void }) {
  const view = useUsersView();
  const users = useQuery(adminUsersQuery(view.current));
  const { error } = users;
  useEffect(() => {
    if (error) notify({ title: TEXTS.users.fetchError, description: errorText(error), kind: 'error' });
  }, [error]);

  const columns: Column<AdminUser>[] = [
    ...COLUMNS,
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      inCard: 'corner',
      cell: (user) => <UserActions user={user} onOpen={onOpen} />,
    },
  ];
  return (
    <Panel title="Users" action={<RefreshButton busy={users.isFetching} onClick={() => void users.refetch()} />}>
      <Flex mb="3" gap="3" wrap="wrap" justify="space-between">
        <SearchField label="Search users" value={view.search} onChange={view.setSearch} />
        <SortSelect sort={view.current.sort} onSort={view.setSort} />
      </Flex>
      {error ? (
        <LoadError message={TEXTS.users.fetchError} onRetry={() => void users.refetch()} />
      ) : (
        <>
          <DataTable
            label="Users"
            columns={columns}
            rows={users.data?.items}
            rowKey={(user) => user.id}
            empty={view.current.query ? 'No user matches your search.' : TEXTS.users.empty}
          />
          <Pager
            from={view.from}
            shown={users.data?.items.length ?? 0}
            hasNext={Boolean(users.data?.nextCursor)}
            onPrevious={view.previous}
            onNext={() => view.next(users.data?.nextCursor ?? null)}
            pageSize={view.current.limit}
            onPageSize={view.setLimit}
          />
        </>
      )}
    </Panel>
  );
}

/** What part of the list is shown. Each page knows the cursors of the ones before it, so that one can go back. */
function useUsersView() {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<UserSort>('newest');
  const [limit, setLimit] = useState(50);
  const [cursors, setCursors] = useState<string[]>([]);
  const query = useDebounced(search.trim(), SEARCH_REST_MS);
  const restart = () => setCursors([]);
  const current = { query, limit, sort, before: cursors[cursors.length - 1] ?? null };
  return {
    current,
    search,
    from: cursors.length * limit,
    setSearch: (text: string) => {
      setSearch(text);
      restart();
    },
    setSort: (wanted: UserSort) => {
      setSort(wanted);
      restart();
    },
    setLimit: (size: number) => {
      setLimit(size);
      restart();
    },
    next: (cursor: string | null) => cursor && setCursors([...cursors, cursor]),
    previous: () => setCursors(cursors.slice(0, -1)),
  };
}

const SORT_LABELS: Record<UserSort, string> = { newest: 'Newest first', oldest: 'Oldest first', username: 'By name' };

function SortSelect({ sort, onSort }: { sort: UserSort; onSort: (sort: UserSort) => void }) {
  return (
    <NativeSelect.Root size="sm" width="10rem">
      <NativeSelect.Field
        aria-label="Order of users"
        value={sort}
        onChange={(event) => onSort(event.target.value as UserSort)}
      >
        {USER_SORTS.map((name) => (
          <option key={name} value={name}>
            {SORT_LABELS[name]}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  );
}

const COLUMNS: Column<AdminUser>[] = [
  {
    key: 'username',
    header: 'User',
    inCard: 'title',
    cell: ({ fullName, username }) => (
      <Box overflowWrap="anywhere">
        <Text fontWeight="medium">{fullName || username}</Text>
        {fullName && (
          <Text textStyle="xs" color="fg.muted">
            {username}
          </Text>
        )}
      </Box>
    ),
  },
  {
    key: 'contact',
    header: 'Contact Info',
    cell: ({ email, phoneNumber }) =>
      email || phoneNumber ? (
        <Box overflowWrap="anywhere">
          {email && <Text>{email}</Text>}
          {phoneNumber && <Text color={email ? 'fg.muted' : undefined}>{phoneNumber}</Text>}
        </Box>
      ) : (
        <Text as="em" color="fg.muted">
          {TEXTS.users.noContact}
        </Text>
      ),
  },
  {
    key: 'messageCount',
    header: 'Messages',
    align: 'end',
    cell: ({ messageCount }) => messageCount.toLocaleString(),
  },
  {
    key: 'role',
    header: 'Role',
    cell: ({ isAdmin }) => (
      <Badge variant="outline" colorPalette={isAdmin ? 'jade' : 'gray'}>
        {isAdmin ? 'Admin' : 'User'}
      </Badge>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ isPremium }) => (
      <Badge colorPalette={isPremium ? 'jade' : 'gray'}>{isPremium ? TEXTS.sidebar.premium : 'Free'}</Badge>
    ),
  },
];
