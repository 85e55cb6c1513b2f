import { Box, Heading, Table, Text } from '@chakra-ui/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ModelFeedback } from '@tanya/contract';
import { formatNumber } from '../../app/i18n/formats';
import { formatPercent } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { LoadError } from '../../components/feedback/load-error';
import { adminModelsQuery } from './models.query';

const feedbackQuery = queryOptions({
  queryKey: ['admin', 'feedback'],
  queryFn: ({ signal }) => api.get<ModelFeedback[]>('/api/admin/feedback', signal),
  staleTime: 0,
});

export function FeedbackPanel() {
  const { data, isError, refetch } = useQuery(feedbackQuery);
  const { data: models = [] } = useQuery(adminModelsQuery);
  const names = new Map(models.map(({ modelId, name }) => [modelId, name]));
  return (
    <Box as="section" aria-label={t('ratings.title')}>
      <Heading as="h2" textStyle="md" mb="1">
        {t('ratings.title')}
      </Heading>
      <Text color="fg.muted" mb="3">
        {t('ratings.hint')}
      </Text>
      {isError && <LoadError message={t('ratings.failed')} onRetry={refetch} />}
      {data?.length === 0 && <Text color="fg.muted">{t('ratings.none')}</Text>}
      {data && data.length > 0 && <Counts rows={data} names={names} />}
    </Box>
  );
}

function Counts({ rows, names }: { rows: ModelFeedback[]; names: ReadonlyMap<string, string> }) {
  return (
    <Table.ScrollArea
      borderWidth="1px"
      borderRadius="l3"
      tabIndex={0}
      role="region"
      aria-label={t('table.scrollable', { label: t('ratings.title') })}
    >
      <Table.Root size="sm">
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>{t('common.model')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('ratings.up')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('ratings.down')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('ratings.share')}</Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map(({ modelId, up, down }) => (
            <Table.Row key={modelId}>
              <Table.Cell overflowWrap="anywhere">{names.get(modelId) ?? modelId}</Table.Cell>
              <Table.Cell textAlign="end">{formatNumber(up)}</Table.Cell>
              <Table.Cell textAlign="end">{formatNumber(down)}</Table.Cell>
              <Table.Cell textAlign="end">{formatPercent(up / (up + down))}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}
