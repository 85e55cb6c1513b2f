import { Button } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '@tanya/contract';
import { Download } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { PageShell } from '../../components/layout/page-shell';
import { countOf, type Days } from './period';
import { PeriodPicker } from './period-picker';
import { csvAddress, usageQuery } from './usage.query';
import { usePeriod } from './use-period';
import { UsageReportView } from './usage-report';

export function AdminUsagePage() {
  const { choice, days, today, choose } = usePeriod();
  return (
    <PageShell title={t('sidebar.usage')} sentence={t('usage.sentence')} action={<CsvButton days={days} />}>
      <PeriodPicker choice={choice} today={today} onChoose={choose} />
      <UsageReportView result={useQuery(usageQuery(days))} />
    </PageShell>
  );
}

function CsvButton({ days }: { days: Days }) {
  const max = LIMITS.usageCsvDays;
  if (countOf(days) > max)
    return (
      <Button variant="outline" disabled title={t('usage.csvTooLong', { max })}>
        <Download aria-hidden /> {t('usage.csv')}
      </Button>
    );
  return (
    <Button asChild variant="outline">
      <a href={csvAddress(days)} download>
        <Download aria-hidden /> {t('usage.csv')}
      </a>
    </Button>
  );
}
