import { Box, Flex, Skeleton, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { OwnUsage, UsageReport } from '@tanya/contract';
import { type ReactNode, useState } from 'react';
import { findText, t } from '../../app/i18n/translate';
import { modelsQuery } from '../../app/queries/models.query';
import { LoadError } from '../../components/feedback/load-error';
import { useDelayed } from '../../components/hooks/use-delayed';
import { type Measure, MEASURES, tokensOf } from './measures';
import { SeriesFills } from './series-fills';
import { TopKeys, TopModels, TopPeople } from './top-lists';
import { UsageCards } from './usage-cards';
import { UsageChart } from './usage-chart';
import { Select } from '../../components/forms/select';

type Report = OwnUsage | UsageReport;

/** The report of a period with its loading, failed and empty states. */
export function UsageReportView({ result }: { result: UseQueryResult<Report> }) {
  const { data, isLoadingError, isPlaceholderData, refetch } = result;
  if (isLoadingError) return <LoadError message={t('usage.loadError')} onRetry={refetch} />;
  if (!data) return <Loading />;
  return (
    // The report of the previous period shows until the next one has arrived.
    <Stack gap="6" aria-busy={isPlaceholderData} opacity={isPlaceholderData ? 0.6 : 1}>
      <UsageCards totals={data.totals} site={'site' in data ? data.site : undefined} />
      {data.totals.generations === 0 && tokensOf(data.totals) === 0 ? <Empty /> : <Details report={data} />}
    </Stack>
  );
}

function Empty() {
  return (
    <Box bg="bg.panel" borderWidth="1px" borderRadius="l3" py="10" px="4" textAlign="center">
      <Text fontWeight="medium">{t('usage.none')}</Text>
      <Text color="fg.muted">{t('usage.noneHint')}</Text>
    </Box>
  );
}

function Details({ report }: { report: Report }) {
  const [measure, setMeasure] = useState<Measure>('messages');
  const modelName = useModelNames();
  const chart = { period: report, measure };
  return (
    <>
      <SeriesFills />
      <Flex align="center" gap="3">
        <Text as="h2" textStyle="md" fontWeight="semibold" flex="1">
          {t('usage.overTime')}
        </Text>
        <MeasureSelect measure={measure} onMeasure={setMeasure} />
      </Flex>
      <UsageChart {...chart} title={t('usage.byModel')} points={report.byModel} nameOf={modelName} />
      <Columns>
        {'byPlan' in report && (
          <UsageChart {...chart} title={t('usage.byPlan')} points={report.byPlan} nameOf={planName} />
        )}
        <UsageChart {...chart} title={t('usage.byChannel')} points={report.byChannel} nameOf={channelName} />
      </Columns>
      {'topPeople' in report && <TopPeople people={report.topPeople} />}
      <TopModels models={report.topModels} nameOf={modelName} isOwn={!('topPeople' in report)} />
      <TopKeys keys={report.topKeys} isOwn={!('topPeople' in report)} />
    </>
  );
}

function Columns({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid gap="6" templateColumns="repeat(auto-fit, minmax(min(24rem, 100%), 1fr))">
      {children}
    </SimpleGrid>
  );
}

function MeasureSelect({ measure, onMeasure }: { measure: Measure; onMeasure: (measure: Measure) => void }) {
  return (
    <Select
      root={{ size: 'sm', width: '9rem' }}
      aria-label={t('usage.measure')}
      value={measure}
      onChange={(event) => onMeasure(event.target.value as Measure)}
      options={MEASURES.map((name) => [name, t(`usage.${name}`)])}
    />
  );
}

/** The names of models; models that are no longer offered have their id. */
function useModelNames(): (modelId: string | null) => string {
  const { data = [] } = useQuery(modelsQuery);
  const names = new Map(data.map(({ modelId, name }) => [modelId, name]));
  return (modelId) =>
    modelId === null ? t('usage.otherModels') : (names.get(modelId) ?? (modelId || t('usage.unknown')));
}

const planName = (plan: string | null): string => findText(`usage.plan_${plan}`) ?? plan ?? t('usage.unknown');

const channelName = (channel: string | null): string =>
  findText(`usage.channel_${channel}`) ?? channel ?? t('usage.unknown');

function Loading() {
  const isDue = useDelayed();
  return (
    <Stack gap="6" role="status" aria-label={t('usage.loading')} minH="30rem">
      {isDue && (
        <>
          <SimpleGrid gap="3" templateColumns="repeat(auto-fit, minmax(min(10rem, 100%), 1fr))">
            {Array.from({ length: 4 }, (_, index) => (
              <Skeleton key={index} height="6rem" borderRadius="l3" />
            ))}
          </SimpleGrid>
          <Skeleton height="22rem" borderRadius="l3" />
        </>
      )}
    </Stack>
  );
}
