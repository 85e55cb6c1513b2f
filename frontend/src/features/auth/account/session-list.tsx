import { Badge, Box, Flex, Spinner, Stack, Text } from '@chakra-ui/react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountSession } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';

/** Other browsers come and go without an event, so every visit reads them again. */
const sessionsQuery = queryOptions({
  queryKey: QUERY_KEYS.sessions,
  queryFn: ({ signal }) => api.get<AccountSession[]>('/api/user/sessions', signal),
  staleTime: 0,
});

/** The browsers that are signed in to the account. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery);
  const recoverFocus = useFocusRecovery();
  if (sessions.isLoadingError) return <LoadError message={t('account.sessionsFailed')} onRetry={sessions.refetch} />;
  if (!sessions.data) return <Spinner size="sm" color="fg.muted" />;
  return (
    <Stack ref={recoverFocus} as="ul" listStyleType="none" gap="2" outline="none" aria-label={t('account.sessions')}>
      {sessions.data.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </Stack>
  );
}

function SessionRow({ session }: { session: AccountSession }) {
  const end = useEnd();
  const device = session.device ?? t('account.unknownDevice');
  const [createdAt, lastSeenAt] = [session.createdAt, session.lastSeenAt].map((time) => formatDateTime(new Date(time)));
  return (
    <Flex as="li" align="center" gap="2" minW="0">
      <Box flex="1" minW="0">
        <Flex align="center" gap="2">
          <Text truncate>{device}</Text>
          {session.isCurrent && <Badge size="sm">{t('account.thisSession')}</Badge>}
        </Flex>
        <Text textStyle="xs" color="fg.muted">
          {[
            session.address,
            t('account.sessionBegan', { time: createdAt! }),
            !session.isCurrent && t('account.sessionSeen', { time: lastSeenAt! }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Box>
      {!session.isCurrent && (
        <LoadingButton
          size="xs"
          variant="outline"
          aria-label={t('account.endSessionOf', { device })}
          loading={end.isPending}
          onClick={() => end.mutate(session.id)}
        >
          {t('account.endSession')}
        </LoadingButton>
      )}
    </Flex>
  );
}

function useEnd() {
  const queryClient = useQueryClient();
  return useSingleFlightMutation({
    mutationFn: (id: string) => api.deleteIfThere(`/api/user/sessions/${id}`),
    onSuccess: (_answer, id) => {
      queryClient.setQueryData(sessionsQuery.queryKey, (all) => all?.filter((session) => session.id !== id));
      notify({ title: t('account.sessionEnded') });
    },
    onError: fail('account.endSessionFailed'),
  });
}
