import { Badge, Flex, Grid, Heading, Stack } from '@chakra-ui/react';
import { type AdminApiKey, UNLIMITED } from '@tanya/contract';
import { useId } from 'react';
import { formatDateTime, formatNumber } from '../../../app/i18n/formats';
import { formatUsd } from '../../../app/i18n/report-formats';
import { DeleteButton, EditButton } from '../../../components/buttons/row-buttons';
import { t } from '../../../app/i18n/translate';
import { TextButton } from '../../../components/buttons/text-button';
import { EntryField } from '../../../components/tables/entry-field';

interface AdminKeyEntryProps {
  apiKey: AdminApiKey;
  /** Shows the keys of the same account. */
  onOwner: () => void;
  onLimit: () => void;
  onEnd: () => void;
}

export function AdminKeyEntry({ apiKey, onOwner, onLimit, onEnd }: AdminKeyEntryProps) {
  const headingId = useId();
  const { name, username, isService, scope, createdAt, lastUsedAt, expiresAt } = apiKey;
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date();
  return (
    <Stack as="li" gap="2" p="3" borderWidth="1px" borderRadius="l2" aria-labelledby={headingId}>
      <Flex gap="3" justify="space-between" align="start">
        <Flex gap="2" align="center" wrap="wrap" minW="0">
          <Heading as="h3" id={headingId} textStyle="sm" fontWeight="medium" overflowWrap="anywhere" minW="0">
            {name}
          </Heading>
          {isService && (
            <Badge size="xs" variant="outline">
              {t('adminKeys.service')}
            </Badge>
          )}
          {scope === 'admin' && (
            <Badge size="xs" colorPalette="orange">
              {t('keys.scope_admin')}
            </Badge>
          )}
          {isExpired && (
            <Badge size="xs" colorPalette="red">
              {t('keys.expired')}
            </Badge>
          )}
        </Flex>
        <Flex gap="1" flexShrink={0}>
          <EditButton label={t('adminKeys.limit', { name, person: username })} onClick={onLimit} />
          <DeleteButton label={t('adminKeys.end', { name, person: username })} onClick={onEnd} />
        </Flex>
      </Flex>
      <Grid as="dl" templateColumns="repeat(auto-fill, minmax(min(100%, 12rem), 1fr))" columnGap="4" rowGap="2">
        <EntryField
          label={t('adminKeys.owner')}
          value={
            <TextButton textAlign="start" whiteSpace="normal" overflowWrap="anywhere" onClick={onOwner}>
              {username}
            </TextButton>
          }
        />
        <EntryField label={t('adminKeys.created')} value={timeOf(createdAt)} />
        <EntryField label={t('adminKeys.lastUsed')} value={lastUsedAt ? timeOf(lastUsedAt) : t('adminKeys.never')} />
        <EntryField label={t('keys.expiry')} value={expiresAt ? timeOf(expiresAt) : t('adminKeys.never')} />
        {scope === 'api' && <Limits apiKey={apiKey} />}
      </Grid>
    </Stack>
  );
}

function Limits({ apiKey }: { apiKey: AdminApiKey }) {
  const { messageCap, messagesUsed, budgetUsd, spentUsd, models, requestsPerMinute, tokensPerMinute } = apiKey;
  const used =
    messageCap === null
      ? formatNumber(messagesUsed)
      : t('adminKeys.of', { used: formatNumber(messagesUsed), max: formatNumber(messageCap) });
  return (
    <>
      <EntryField label={t('usage.messages')} value={used} />
      <EntryField
        label={t('usage.cost')}
        value={budgetUsd && t('adminKeys.of', { used: formatUsd(spentUsd ?? '0'), max: formatUsd(budgetUsd) })}
      />
      <EntryField label={t('keys.models')} value={models === null ? t('keys.allModels') : models.join(', ')} />
      <EntryField label={t('adminKeys.requests')} value={rateOf(requestsPerMinute)} />
      <EntryField label={t('adminKeys.tokens')} value={rateOf(tokensPerMinute)} />
    </>
  );
}

const timeOf = (iso: string) => <time dateTime={iso}>{formatDateTime(new Date(iso))}</time>;

/** Nothing for the rate of the plan. */
const rateOf = (rate: number | null): string | null =>
  rate === null ? null : rate === UNLIMITED ? t('people.ownUnlimited') : formatNumber(rate);
