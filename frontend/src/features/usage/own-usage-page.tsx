import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { UNLIMITED } from '@tanya/contract';
import { quotaRenewal } from '../../app/i18n/quota-renewal';
import { t } from '../../app/i18n/translate';
import { quotaQuery } from '../../app/queries/user.query';
import { PageShell } from '../../components/layout/page-shell';
import { PeriodPicker } from './period-picker';
import { ownUsageQuery } from './usage.query';
import { usePeriod } from './use-period';
import { UsageReportView } from './usage-report';

/** The quota of messages, and when it is renewed. */
function QuotaLine() {
  const { data: quota } = useQuery(quotaQuery);
  if (!quota) return <Text minH="6" />;
  return (
    <Text minH="6">
      {quota.max === UNLIMITED
        ? t('quota.unlimited')
        : `${t('quota.used', { used: quota.used, max: quota.max })} ${quotaRenewal(quota)}`}
    </Text>
  );
}

export function OwnUsagePage() {
  const { choice, days, today, choose } = usePeriod();
  return (
    <PageShell title={t('sidebar.myUsage')} sentence={t('usage.ownSentence')}>
      <QuotaLine />
      <PeriodPicker choice={choice} today={today} onChoose={choose} />
      <UsageReportView result={useQuery(ownUsageQuery(days))} />
    </PageShell>
  );
}
