import { Flex, Stack, Text } from '@chakra-ui/react';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../app/api/api-client';
import { t } from '../../app/i18n/translate';
import { CsvButton } from '../buttons/csv-button';
import { LoadingButton } from '../buttons/loading-button';
import { RefreshButton } from '../buttons/refresh-button';
import { LoadError } from '../feedback/load-error';
import { LoadingRows } from '../feedback/loading-rows';
import { type AddressFilter, paramsOf } from './use-address-filter';
import { useDebounced } from '../hooks/use-debounced';
import { useFocusRecovery } from '../hooks/use-focus-recovery';
import { PageShell } from '../layout/page-shell';
import { Panel } from '../layout/panel';

const PAGE_SIZE = 50;

const SEARCH_DEBOUNCE_MS = 250;

/** @param params of a filter */
const historyQuery = <Entry,>(name: string, params: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', name, params],
    queryFn: ({ pageParam, signal }) => {
      const wanted = params && `&${params}`;
      const before = pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`;
      return api.getPage<Entry>(`/api/admin/${name}?limit=${PAGE_SIZE}${wanted}${before}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // Its entries are announced by no event.
    staleTime: 0,
  });

interface HistoryTexts {
  title: string;
  sentence: string;
  list: string;
  loadError: string;
  none: string;
  noMatch: string;
  older: string;
  olderError: string;
}

interface HistoryPageProps<Entry> {
  /** Of the list below `/api/admin`, and of its file. */
  name: 'audit' | 'failures' | 'keys';
  texts: HistoryTexts;
  filter: AddressFilter<string>;
  filterFields: ReactNode;
  /** Beside the button of the file. */
  action?: ReactNode;
  children: (entry: Entry) => ReactNode;
}

/** A list of admins, newest first, that a filter narrows, in pages and as a file. */
export function HistoryPage<Entry>({ name, texts, filter, filterFields, action, children }: HistoryPageProps<Entry>) {
  const params = useDebounced(paramsOf(filter), SEARCH_DEBOUNCE_MS);
  const history = useInfiniteQuery(historyQuery<Entry>(name, params));
  const entries = history.data?.pages.flatMap(({ items }) => items);
  const recoverFocus = useFocusRecovery();
  return (
    <PageShell
      title={texts.title}
      sentence={texts.sentence}
      action={
        <Flex gap="2" wrap="wrap">
          <CsvButton path={`/api/admin/${name}.csv?${params}`} />
          {action}
        </Flex>
      }
    >
      <Panel
        title={texts.list}
        action={<RefreshButton busy={history.isRefetching} onClick={() => void history.refetch()} />}
      >
        {filterFields}
        {history.isPending && (
          <LoadingRows
            label={t('table.loading', { label: texts.list })}
            count={3}
            row={{ height: '6rem', borderRadius: 'l2' }}
            gap="3"
            minH="20rem"
          />
        )}
        {history.isError && !history.isFetchNextPageError && (
          <LoadError message={texts.loadError} onRetry={history.refetch} />
        )}
        {entries?.length === 0 && <Text color="fg.muted">{params ? texts.noMatch : texts.none}</Text>}
        <div ref={recoverFocus}>
          {entries && entries.length > 0 && (
            <Stack as="ol" gap="3" listStyleType="none" aria-label={texts.list}>
              {entries.map(children)}
            </Stack>
          )}
          {history.isFetchNextPageError && (
            <Text role="alert" color="fg.error" textAlign="center" mt="4">
              {texts.olderError}
            </Text>
          )}
          {history.hasNextPage && (
            <Flex mt="4" justify="center">
              <LoadingButton
                size="sm"
                variant="outline"
                loading={history.isFetchingNextPage}
                onClick={() => void history.fetchNextPage()}
              >
                {texts.older}
              </LoadingButton>
            </Flex>
          )}
        </div>
      </Panel>
    </PageShell>
  );
}
