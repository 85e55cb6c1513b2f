import type { AdminUser } from '@tanya/contract';
import { formatDate } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';

export const activityText = ({ createdAt, lastSeenAt }: AdminUser): [created: string, seen: string] => [
  t('people.created', { date: formatDate(new Date(createdAt)) }),
  lastSeenAt ? t('people.seen', { date: formatDate(new Date(lastSeenAt)) }) : t('people.neverSeen'),
];
