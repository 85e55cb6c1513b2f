import { Box, Link, Spinner, Stack, Text } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link as RouterLink } from '@tanstack/react-router';
import type { ImportedConversation } from '@tanya/contract';
import { useRef } from 'react';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { reportQuery } from './imports.query';
import { remarkText } from './remark-text';

const OUTCOMES = {
  imported: 'imports.outcomeImported',
  skipped: 'imports.outcomeSkipped',
  failed: 'imports.outcomeFailed',
} as const satisfies Record<ImportedConversation['outcome'], string>;

/** The conversations of an import with their outcomes, page by page. */
export function ImportReport({ id }: { id: string }) {
  const report = useInfiniteQuery(reportQuery(id));
  const list = useRef<HTMLDivElement>(null);
  if (report.isLoadingError) return <LoadError message={t('imports.reportFailed')} onRetry={report.refetch} />;
  if (!report.data) return <Spinner size="sm" color="fg.muted" />;
  const showMore = async (button: HTMLElement) => {
    const { hasNextPage } = await report.fetchNextPage();
    // The last page removes the button.
    if (!hasNextPage && document.activeElement === button) list.current?.focus();
  };
  const rows = report.data.pages.flatMap(({ items }) => items);
  return (
    <Stack
      ref={list}
      gap="2"
      maxH="16rem"
      overflowY="auto"
      tabIndex={0}
      role="group"
      aria-label={t('imports.report')}
      ps="1"
    >
      <Stack as="ul" listStyleType="none" gap="1.5">
        {rows.map((row, at) => (
          <ReportRow key={at} row={row} />
        ))}
      </Stack>
      {report.isFetchNextPageError && (
        <Text role="alert" color="fg.error">
          {t('imports.reportFailed')}
        </Text>
      )}
      {report.hasNextPage && (
        <LoadingButton
          size="xs"
          variant="outline"
          alignSelf="start"
          loading={report.isFetchingNextPage}
          onClick={({ currentTarget }) => void showMore(currentTarget)}
        >
          {t('imports.loadMore')}
        </LoadingButton>
      )}
    </Stack>
  );
}

function ReportRow({ row }: { row: ImportedConversation }) {
  const { title, outcome, reason, remark, threadId } = row;
  const name = title || t('imports.untitled');
  return (
    <Box as="li" overflowWrap="anywhere">
      {threadId === null ? (
        <Text as="span" dir="auto">
          {name}
        </Text>
      ) : (
        <Link asChild dir="auto">
          <RouterLink to="/chat/$id" params={{ id: threadId }}>
            {name}
          </RouterLink>
        </Link>
      )}
      <Text textStyle="xs" color={outcome === 'failed' ? 'fg.error' : 'fg.muted'}>
        {[t(OUTCOMES[outcome]), remarkText(remark, reason)].filter(Boolean).join(': ')}
      </Text>
    </Box>
  );
}
