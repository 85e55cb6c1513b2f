import { Box, Button, Flex, Skeleton } from '@chakra-ui/react';
import type { UsagePeriod, UsagePoint } from '@tanya/contract';
import { ChartColumn, Table as TableIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { formatDay } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { Panel } from '../../components/layout/panel';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';
import { BreakdownTable } from './breakdown-table';
import type { Measure } from './measures';
import { breakDown, type Breakdown, joinSmall } from './series';
import { Swatch } from './series-fills';

const StackedBars = lazyWithPreload(() => import('./stacked-bars'));

const CHART_HEIGHT = '16rem';

interface UsageChartProps {
  title: string;
  period: UsagePeriod;
  points: readonly UsagePoint[];
  measure: Measure;
  /** The shown name of a model, plan or channel. */
  nameOf: (name: string | null) => string;
}

/** A series of a report as a chart, or as the table behind it. */
export function UsageChart({ title, period, points, measure, nameOf }: UsageChartProps) {
  const [isTable, setTable] = useState(false);
  const whole = breakDown(points, period, measure);
  const caption = t('usage.caption', {
    title,
    measure: t(`usage.${measure}`),
    from: formatDay(period.from),
    to: formatDay(period.to),
  });
  const Icon = isTable ? ChartColumn : TableIcon;
  return (
    <Panel
      title={title}
      action={
        <Button size="sm" variant="outline" onClick={() => setTable(!isTable)}>
          <Icon aria-hidden /> {isTable ? t('usage.asChart') : t('usage.asTable')}
        </Button>
      }
    >
      {isTable ? (
        <BreakdownTable breakdown={whole} caption={caption} measure={measure} step={period.step} nameOf={nameOf} />
      ) : (
        <Drawing breakdown={joinSmall(whole)} caption={caption} measure={measure} period={period} nameOf={nameOf} />
      )}
    </Panel>
  );
}

interface DrawingProps extends Pick<UsageChartProps, 'measure' | 'period' | 'nameOf'> {
  breakdown: Breakdown;
  caption: string;
}

function Drawing({ breakdown, caption, measure, period, nameOf }: DrawingProps) {
  const labels = breakdown.names.map(nameOf);
  return (
    <>
      <Box role="img" aria-label={t('usage.imageOf', { caption })} height={CHART_HEIGHT}>
        <Box aria-hidden height="100%">
          <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
            <StackedBars breakdown={breakdown} labels={labels} measure={measure} step={period.step} />
          </Suspense>
        </Box>
      </Box>
      <Flex as="ul" listStyleType="none" columnGap="4" rowGap="1" wrap="wrap" mt="3" aria-label={t('usage.legend')}>
        {labels.map((label, index) => (
          <Flex as="li" key={label} align="center" gap="2" minW="0" textStyle="xs" overflowWrap="anywhere">
            <Swatch index={index} />
            {label}
          </Flex>
        ))}
      </Flex>
    </>
  );
}
