import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { UNLIMITED } from '@tanya/contract';
import { RichText } from '../../../app/i18n/rich-text';
import { t } from '../../../app/i18n/translate';
import { quotaQuery } from '../../../app/queries/user.query';

const LOW_SHARE = 0.2;

/** The quota as `used/max` or Unlimited, with a noun; the tooltip has the whole sentence. */
export function QuotaDisplay() {
  const { data: quota } = useQuery(quotaQuery);
  // Its place is kept, so that what follows it does not move.
  if (!quota) return <chakra.span minW="5.5rem" />;
  const isUnlimited = quota.max === UNLIMITED;
  const isLow = !isUnlimited && quota.remaining <= quota.max * LOW_SHARE;
  const text = isUnlimited ? t('chat.unlimited') : `${quota.used}/${quota.max}`;
  return (
    <chakra.span
      className="quota"
      textStyle="xs"
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
      color={isLow ? 'fg.warning' : 'fg.muted'}
      title={isUnlimited ? t('quota.unlimited') : t('quota.used', { used: quota.used, max: quota.max })}
    >
      <RichText
        text={t('quota.shown', { quota: text })}
        tags={{ quota: (shown) => <span data-testid="quota">{shown}</span> }}
      />
    </chakra.span>
  );
}
