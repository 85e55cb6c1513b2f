import { Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Failure, FAILURE_DAYS } from '@tanya/contract';
import { Download } from 'lucide-react';
import { api } from '../../app/api/api-client';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { paramsOf, useAddressFilter } from '../../components/hooks/use-address-filter';
import { useDebounced } from '../../components/hooks/use-debounced';
import { useDelayed } from '../../components/hooks/use-delayed';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';
import { FailureEntry } from './failure-entry';
import { FAILURE_FIELDS, FailureFilters } from './failure-filters';

const PAGE_SIZE = 50;

const SEARCH_DEBOUNCE_MS = 250;

/** @param params of a filter */
const failuresQuery = (params: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'failures', params],
    queryFn: ({ pageParam, signal }) => {
      const wanted = params && `&${params}`;
      const before = pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`;
      return api.getPage<Failure>(`/api/admin/failures?limit=${PAGE_SIZE}${wanted}${before}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // Failures are announced by no event.
    staleTime: 0,
  });

export function FailuresPage() {
  const [filter, change] = useAddressFilter(FAILURE_FIELDS);
  const params = useDebounced(paramsOf(filter), SEARCH_DEBOUNCE_MS);
  const list = useInfiniteQuery(failuresQuery(params));
  const failures = list.data?.pages.flatMap(({ items }) => items);
  const recoverFocus = useFocusRecovery();
  return (
    <PageShell
      title={t('sidebar.failures')}
      sentence={t('failures.sentence', { days: FAILURE_DAYS })}
      action={
        <Button asChild variant="outline">
          <a href={`/api/admin/failures.csv?${params}`} download>
            <Download aria-hidden /> {t('usage.csv')}
          </a>
        </Button>
      }
    >
      <Panel
        title={t('failures.list')}
        action={<RefreshButton busy={list.isRefetching} onClick={() => void list.refetch()} />}
      >
        <FailureFilters filter={filter} onChange={change} />
        {list.isPending && <Loading />}
        {list.isError && !list.isFetchNextPageError && (
          <LoadError message={t('failures.loadError')} onRetry={() => void list.refetch()} />
        )}
        {failures?.length === 0 && <Text color="fg.muted">{t(params ? 'failures.noMatch' : 'failures.none')}</Text>}
        <div ref={recoverFocus}>
          {failures && failures.length > 0 && (
            <Stack as="ol" gap="3" listStyleType="none" aria-label={t('failures.list')}>
              {failures.map((failure) => (
                <FailureEntry key={failure.id} failure={failure} onNarrow={(fields) => change({ id: '', ...fields })} />
              ))}
            </Stack>
          )}
          {list.isFetchNextPageError && (
            <Text role="alert" color="fg.error" textAlign="center" mt="4">
              {t('failures.olderError')}
            </Text>
          )}
          {list.hasNextPage && (
            <Flex mt="4" justify="center">
              <LoadingButton
                size="sm"
                variant="outline"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                {t('failures.older')}
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
    <Stack gap="3" role="status" aria-label={t('table.loading', { label: t('failures.list') })} minH="20rem">
      {isDue && [0, 1, 2].map((index) => <Skeleton key={index} height="6rem" borderRadius="l2" />)}
    </Stack>
  );
}
