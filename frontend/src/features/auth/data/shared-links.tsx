import { Box, Flex, Link, Spinner, Stack, Text } from '@chakra-ui/react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnShare } from '@tanya/contract';
import { useRef } from 'react';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { CopyButton } from '../../../components/buttons/copy-button';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

/** Other tabs change the links, and they expire, without an event, so every visit reads them again. */
const sharesQuery = queryOptions({
  queryKey: QUERY_KEYS.shares,
  queryFn: ({ signal }) => api.get<OwnShare[]>('/api/user/shares', signal),
  staleTime: 0,
});

export function SharedLinks() {
  const shares = useQuery(sharesQuery);
  const list = useRef<HTMLDivElement>(null);
  if (shares.isLoadingError) return <LoadError message={t('sharedLinks.failed')} onRetry={shares.refetch} />;
  if (!shares.data) return <Spinner size="sm" color="fg.muted" />;
  return (
    // Takes the focus when the row with the focus is removed.
    <Box ref={list} tabIndex={-1} outline="none">
      {shares.data.length === 0 ? (
        <Text color="fg.muted">{t('sharedLinks.empty')}</Text>
      ) : (
        <Stack as="ul" listStyleType="none" gap="2" aria-label={t('sharedLinks.title')}>
          {shares.data.map((share) => (
            <ShareRow key={share.token} share={share} onRevoked={() => list.current?.focus()} />
          ))}
        </Stack>
      )}
    </Box>
  );
}

function ShareRow({ share, onRevoked }: { share: OwnShare; onRevoked: () => void }) {
  const { token, title, url, messageCount, createdAt, expiresAt } = share;
  const revoke = useRevoke(onRevoked);
  const created = formatDateTime(new Date(createdAt));
  const until = expiresAt === null ? null : t('sharedLinks.until', { date: formatDateTime(new Date(expiresAt)) });
  return (
    <Flex as="li" align="center" gap="2" minW="0">
      <Box flex="1" minW="0">
        <Link
          href={url}
          target="_blank"
          rel="noreferrer"
          dir="auto"
          display="block"
          truncate
          aria-label={t('sharedLinks.open', { title })}
        >
          {title}
        </Link>
        <Text textStyle="xs" color="fg.muted">
          {[t('sharedLinks.details', { count: messageCount, created }), until].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <CopyButton text={() => url} label={t('sharedLinks.copy', { title })} announce />
      <LoadingButton
        size="xs"
        variant="outline"
        aria-label={t('sharedLinks.revokeOf', { title })}
        loading={revoke.isPending}
        onClick={() => revoke.mutate(token)}
      >
        {t('sharedLinks.revoke')}
      </LoadingButton>
    </Flex>
  );
}

function useRevoke(onRevoked: () => void) {
  const queryClient = useQueryClient();
  return useSingleFlightMutation({
    mutationFn: (token: string) => api.deleteIfThere(`/api/user/shares/${token}`),
    onSuccess: (_answer, token) => {
      onRevoked();
      queryClient.setQueryData(sharesQuery.queryKey, (all) => all?.filter((share) => share.token !== token));
      notify({ title: t('sharedLinks.revoked') });
    },
    onError: fail('sharedLinks.revokeFailed'),
  });
}
