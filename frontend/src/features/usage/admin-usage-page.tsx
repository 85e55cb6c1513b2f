import { Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, type UsageFilter } from '@tanya/contract';
import { Download } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { PageShell } from '../../components/layout/page-shell';
import { FilterBar, useUsageFilter } from './filter-bar';
import { countOf, type Days } from './period';
import { PeriodPicker } from './period-picker';
import { csvAddress, usageQuery } from './usage.query';
import { usePeriod } from './use-period';
import { UsageReportView } from './usage-report';

export default function AdminUsagePage() {
  const { choice, days, today, choose } = usePeriod();
  const { filter, set } = useUsageFilter();
  const result = useQuery(usageQuery(days, filter));
  return (
    <PageShell
      title={t('sidebar.usage')}
      sentence={t('usage.sentence')}
      action={
        <Flex gap="2" wrap="wrap">
          <CsvButton days={days} filter={filter} />
          <CsvButton days={days} filter={filter} isDetailed />
        </Flex>
      }
    >
      <PeriodPicker choice={choice} today={today} onChoose={choose} />
      <FilterBar filter={filter} report={result.data} onSet={set} />
      <UsageReportView result={result} />
    </PageShell>
  );
}

function CsvButton({ days, filter, isDetailed = false }: { days: Days; filter: UsageFilter; isDetailed?: boolean }) {
  const text = t(isDetailed ? 'usage.csvDetail' : 'usage.csv');
  const max = LIMITS.usageCsvDays;
  if (countOf(days) > max)
    return (
      <Button variant="outline" disabled title={t('usage.csvTooLong', { max })}>
        <Download aria-hidden /> {text}
      </Button>
    );
  return (
    <Button asChild variant="outline">
      <a href={csvAddress(days, filter, isDetailed)} download>
        <Download aria-hidden /> {text}
      </a>
    </Button>
  );
}
