import { Button, Flex, Skeleton, Stack, Text, Heading } from '@chakra-ui/react';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { t, findText } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { paramsOf, useAddressFilter } from '../../components/hooks/use-address-filter';
import { useDebounced } from '../../components/hooks/use-debounced';
import { useDelayed } from '../../components/hooks/use-delayed';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';
import type { AuditEntry } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { useId } from 'react';
import { formatDateTime } from '../../app/i18n/formats';
import { AUDIT_FIELDS, AuditFilters } from './audit-filters';
import { ChangedValues } from './changed-values';

const PAGE_SIZE = 50;

const SEARCH_DEBOUNCE_MS = 250;

/** @param params of a filter */
const auditQuery = (params: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', params],
    queryFn: ({ pageParam, signal }) => {
      const wanted = params && `&${params}`;
      const before = pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`;
      return api.getPage<AuditEntry>(`/api/admin/audit?limit=${PAGE_SIZE}${wanted}${before}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // Changes are announced by no event.
    staleTime: 0,
  });

export function AuditPage() {
  const [filter, change] = useAddressFilter(AUDIT_FIELDS);
  const params = useDebounced(paramsOf(filter), SEARCH_DEBOUNCE_MS);
  const log = useInfiniteQuery(auditQuery(params));
  const entries = log.data?.pages.flatMap(({ items }) => items);
  const recoverFocus = useFocusRecovery();
  return (
    <PageShell
      title={t('sidebar.auditLog')}
      sentence={t('audit.sentence')}
      action={
        <Button asChild variant="outline">
          <a href={`/api/admin/audit.csv?${params}`} download>
            <Download aria-hidden /> {t('usage.csv')}
          </a>
        </Button>
      }
    >
      <Panel
        title={t('audit.list')}
        action={<RefreshButton busy={log.isRefetching} onClick={() => void log.refetch()} />}
      >
        <AuditFilters filter={filter} onChange={change} />
        {log.isPending && <Loading />}
        {log.isError && !log.isFetchNextPageError && (
          <LoadError message={t('audit.loadError')} onRetry={() => void log.refetch()} />
        )}
        {entries?.length === 0 && <Text color="fg.muted">{t(params ? 'audit.noMatch' : 'audit.none')}</Text>}
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

function AuditChange({ entry }: { entry: AuditEntry }) {
  const headingId = useId();
  const { actor, address, createdAt } = entry;
  return (
    <Stack as="li" gap="1.5" p="3" borderWidth="1px" borderRadius="l2" aria-labelledby={headingId}>
      <Flex columnGap="4" justify="space-between" wrap="wrap">
        <Heading as="h3" id={headingId} textStyle="sm" fontWeight="medium" overflowWrap="anywhere" minW="0">
          {titleOf(entry)}
        </Heading>
        <Text color="fg.muted" asChild>
          <time dateTime={createdAt}>{formatDateTime(new Date(createdAt))}</time>
        </Text>
      </Flex>
      <Text color="fg.muted" overflowWrap="anywhere">
        {t('audit.by', { name: actor.username, address })}
      </Text>
      <ChangedValues before={entry.before} after={entry.after} describedBy={headingId} />
    </Stack>
  );
}

/** The kind of the change and the name of its target. Kinds of a newer server keep their own name. */
function titleOf({ action, target }: AuditEntry): string {
  const change = findText(`audit.did_${action.replace('.', '_')}`) ?? action;
  if (target.kind === 'settings') return change;
  return `${change}: ${target.name ?? `#${target.id}`}`;
}
