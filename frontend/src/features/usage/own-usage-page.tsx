import { useQuery } from '@tanstack/react-query';
import { t } from '../../app/i18n/translate';
import { PageShell } from '../../components/layout/page-shell';
import { PeriodPicker } from './period-picker';
import { ownUsageQuery } from './usage.query';
import { usePeriod } from './use-period';
import { UsageReportView } from './usage-report';

export function OwnUsagePage() {
  const { choice, days, today, choose } = usePeriod();
  return (
    <PageShell title={t('sidebar.myUsage')} sentence={t('usage.ownSentence')}>
      <PeriodPicker choice={choice} today={today} onChoose={choose} />
      <UsageReportView result={useQuery(ownUsageQuery(days))} />
    </PageShell>
  );
}
