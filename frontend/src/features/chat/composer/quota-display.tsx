import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type Quota, TEXTS, UNLIMITED } from '@tanya/contract';
import { quotaQuery } from '../../../app/queries/user.query';

/** The remaining share of a quota at which the display has the warning colour. */
const LOW_SHARE = 0.2;

export function isExhausted(quota: Quota | undefined): boolean {
  return quota !== undefined && quota.max !== UNLIMITED && quota.remaining <= 0;
}

/** The quota as `used/max` or Unlimited, with a noun; the tooltip has the whole sentence. */
export function QuotaDisplay() {
  const { data: quota } = useQuery(quotaQuery);
  if (!quota) return null;
  const isUnlimited = quota.max === UNLIMITED;
  const isLow = !isUnlimited && quota.remaining <= quota.max * LOW_SHARE;
  const text = isUnlimited ? TEXTS.chat.unlimited : `${quota.used}/${quota.max}`;
  return (
    <chakra.span
      className="quota"
      textStyle="xs"
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
      color={isLow ? 'fg.warning' : 'fg.muted'}
      title={isUnlimited ? 'You have unlimited messages.' : `You have used ${quota.used} of ${quota.max} messages.`}
    >
      <span data-testid="quota">{text}</span> messages
    </chakra.span>
  );
}
