import type { Quota } from '@tanya/contract';
import { formatDateTime } from './formats';
import { t } from './translate';

export const quotaRenewal = ({ resetsAt }: Pick<Quota, 'resetsAt'>): string =>
  resetsAt === null ? t('exhausted.notRenewed') : t('exhausted.renewed', { time: formatDateTime(new Date(resetsAt)) });
