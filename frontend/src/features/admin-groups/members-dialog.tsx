import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AdminUser, Group, GroupMembersView } from '@tanya/contract';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { api, type Page } from '../../app/api/api-client';
import { identityProvidersQuery } from '../../app/queries/identity-providers.query';
import { LoadingButton } from '../../components/buttons/loading-button';
import { Modal } from '../../components/dialogs/modal';
import { LoadError } from '../../components/feedback/load-error';
import { SearchField } from '../../components/forms/search-field';
import { useDebounced } from '../../components/hooks/use-debounced';
import { groupPeopleKey, useChangeMember } from './group-mutations';

const PAGE = 50;
const SEARCH_DEBOUNCE_MS = 250;

const groupMembersQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'group-members', id],
    queryFn: ({ signal }) => api.get<GroupMembersView>(`/api/admin/groups/${id}/members`, signal),
    staleTime: 0,
  });

interface MembersDialogProps {
  group: Group;
  onClose: () => void;
}

/** The members of a group. A search looks through all accounts, so that others can be added. */
export function MembersDialog({ group, onClose }: MembersDialogProps) {
  const [search, setSearch] = useState('');
  const query = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS);
  const users = useInfiniteQuery({
    queryKey: [...groupPeopleKey(group.id), query],
    queryFn: ({ signal, pageParam }) => readUsers(group.id, query, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page<AdminUser>) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data: members } = useQuery(groupMembersQuery(group.id));
  const { data: providers } = useQuery(identityProvidersQuery);
  const labelOf = (userId: number) => {
    const provided = members?.provided?.find((each) => each.userId === userId);
    if (provided === undefined) return null;
    return providers?.find(({ id }) => id === provided.providerId)?.label ?? t('groups.anyProvider');
  };
  const shown = users.data?.pages.flatMap(({ items }) => items);
  return (
    <Modal
      title={t('groups.membersOf', { name: group.name })}
      description={t('groups.membersHint')}
      size="md"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('common.done')}</Button>}
    >
      <Stack gap="3" minH="12rem">
        <SearchField label={t('groups.searchPeople')} value={search} onChange={setSearch} maxW="100%" />
        {users.isError && <LoadError message={t('users.fetchError')} onRetry={users.refetch} />}
        {shown?.length === 0 && (
          <Text role="status" color="fg.muted">
            {t(query === '' ? 'groups.noMembers' : 'usersPage.noMatch')}
          </Text>
        )}
        <Stack as="ul" gap="2" listStyleType="none" aria-label={t('groups.people')}>
          {shown?.map((user) => (
            <Person key={user.id} user={user} group={group} provider={labelOf(user.id)} />
          ))}
        </Stack>
        {users.hasNextPage && (
          <Button variant="outline" loading={users.isFetchingNextPage} onClick={() => void users.fetchNextPage()}>
            {t('groups.more')}
          </Button>
        )}
      </Stack>
    </Modal>
  );
}

interface PersonProps {
  user: AdminUser;
  group: Group;
  /** Who put the member in, and alone can take them out; null without one. */
  provider: string | null;
}

function Person({ user, group, provider }: PersonProps) {
  const change = useChangeMember(group.id, user.id);
  const isMember = user.groupIds.includes(group.id);
  return (
    <Flex as="li" gap="3" align="center" justify="space-between">
      <Text minW="0" overflowWrap="anywhere">
        {user.fullName ? `${user.fullName} (${user.username})` : user.username}
      </Text>
      {provider !== null ? (
        <Text color="fg.muted" textStyle="sm" flexShrink={0}>
          {t('groups.through', { provider })}
        </Text>
      ) : (
        <LoadingButton
          size="xs"
          variant={isMember ? 'outline' : 'solid'}
          colorPalette={isMember ? undefined : 'jade'}
          loading={change.isPending}
          aria-label={t(isMember ? 'common.removeNamed' : 'groups.addOf', { name: user.username })}
          onClick={() => change.mutate(isMember ? 'remove' : 'add')}
        >
          {t(isMember ? 'groups.remove' : 'groups.addMember')}
        </LoadingButton>
      )}
    </Flex>
  );
}

function readUsers(groupId: number, query: string, before: string, signal: AbortSignal): Promise<Page<AdminUser>> {
  const search = new URLSearchParams({ sort: 'username', limit: String(PAGE) });
  if (query === '') search.set('groupId', String(groupId));
  else search.set('query', query);
  if (before !== '') search.set('before', before);
  return api.getPage<AdminUser>(`/api/admin/users?${search}`, signal);
}
