import { Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useInfiniteQuery, infiniteQueryOptions } from '@tanstack/react-query';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { useDelayed } from '../../components/hooks/use-delayed';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';
import { AuditChange } from './audit-change';
import type { AuditEntry } from '@tanya/contract';
import { api } from '../../app/api/api-client';

const PAGE_SIZE = 50;

const auditQuery = infiniteQueryOptions({
  queryKey: ['admin', 'audit'],
  queryFn: ({ pageParam, signal }) => {
    const before = pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`;
    return api.getPage<AuditEntry>(`/api/admin/audit?limit=${PAGE_SIZE}${before}`, signal);
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  // Changes are announced by no event.
  staleTime: 0,
});

export function AuditPage() {
  const log = useInfiniteQuery(auditQuery);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  const recoverFocus = useFocusRecovery();
  return (
    <PageShell title={t('sidebar.auditLog')} sentence={t('audit.sentence')}>
      <Panel
        title={t('audit.list')}
        action={<RefreshButton busy={log.isRefetching} onClick={() => void log.refetch()} />}
      >
        {log.isPending && <Loading />}
        {log.isError && !log.isFetchNextPageError && (
          <LoadError message={t('audit.loadError')} onRetry={() => void log.refetch()} />
        )}
        {entries?.length === 0 && <Text color="fg.muted">{t('audit.none')}</Text>}
        <div ref={recoverFocus}>
          {entries && entries.length > 0 && (
            <Stack as="ol" gap="3" listStyleType="none" aria-label={t('audit.list')}>
              {entries.map((entry) => (
                <AuditChange key={entry.id} entry={entry} />
              ))}
            </Stack>
          )}
          {log.isFetchNextPageError && (
            <Text role="alert" color="fg.error" textAlign="center" mt="4">
              {t('audit.olderError')}
            </Text>
          )}
          {log.hasNextPage && (
            <Flex mt="4" justify="center">
              <LoadingButton
                size="sm"
                variant="outline"
                loading={log.isFetchingNextPage}
                onClick={() => void log.fetchNextPage()}
              >
                {t('audit.older')}
              </LoadingButton>
            </Flex>
          )}
        </div>
      </Panel>
    </PageShell>
  );
}

function Loading() {
  const isDue = useDelayed();
  return (
    <Stack gap="3" role="status" aria-label={t('table.loading', { label: t('audit.list') })} minH="20rem">
      {isDue && [0, 1, 2].map((index) => <Skeleton key={index} height="6rem" borderRadius="l2" />)}
    </Stack>
  );
}
