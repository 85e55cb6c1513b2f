import { Badge, Box, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@tanya/contract';
import { formatDate, formatDateTime, formatNumber } from '../../../app/i18n/formats';
import { formatUsd } from '../../../app/i18n/report-formats';
import { DeleteButton, EditButton } from '../../../components/buttons/row-buttons';
import { t } from '../../../app/i18n/translate';
import { modelsQuery } from '../../../app/queries/models.query';

interface KeyRowProps {
  apiKey: ApiKey;
  onEdit: () => void;
  onDelete: () => void;
}

export function KeyRow({ apiKey, onEdit, onDelete }: KeyRowProps) {
  const { name, hint, expiresAt, scope, adminLimits } = apiKey;
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date();
  return (
    <Stack as="li" gap="1" p="3" borderWidth="1px" borderRadius="l2">
      <Flex gap="3" justify="space-between" align="start">
        <Flex gap="2" align="center" wrap="wrap" minW="0" fontWeight="medium" overflowWrap="anywhere">
          {name}
          <Text as="span" fontFamily="mono" textStyle="xs" color="fg.muted">
            …{hint}
          </Text>
          {scope === 'admin' && <Badge size="xs">{t('keys.scope_admin')}</Badge>}
          {isExpired && (
            <Badge size="xs" colorPalette="red">
              {t('keys.expired')}
            </Badge>
          )}
        </Flex>
        <Flex gap="1" flexShrink={0}>
          <EditButton label={t('common.editNamed', { name })} onClick={onEdit} />
          <DeleteButton label={t('common.deleteNamed', { name })} onClick={onDelete} />
        </Flex>
      </Flex>
      <Box color="fg.muted" overflowWrap="anywhere">
        <Text>{usageText(apiKey)}</Text>
        <Text>{limitsText(apiKey)}</Text>
        {scope === 'api' && <ModelNames ids={apiKey.models} />}
        {Object.keys(adminLimits).length > 0 && <Text>{t('keys.bound')}</Text>}
      </Box>
    </Stack>
  );
}

function ModelNames({ ids }: { ids: string[] | null }) {
  const { data = [] } = useQuery(modelsQuery);
  if (ids === null) return <Text>{t('keys.allModels')}</Text>;
  const names = ids.map((id) => data.find(({ modelId }) => modelId === id)?.name ?? id);
  return <Text>{t('keys.onlyModels', { names: names.join(', ') })}</Text>;
}

function usageText({ createdAt, lastUsedAt }: ApiKey): string {
  const created = t('people.created', { date: formatDate(new Date(createdAt)) });
  const used = lastUsedAt ? t('keys.used', { date: formatDateTime(new Date(lastUsedAt)) }) : t('keys.neverUsed');
  return `${created} · ${used}`;
}

function limitsText({ scope, messageCap, messagesUsed, budgetUsd, spentUsd, expiresAt }: ApiKey): string {
  const spent =
    messageCap === null
      ? t('keys.spent', { count: messagesUsed })
      : t('keys.spentOf', { used: formatNumber(messagesUsed), max: formatNumber(messageCap) });
  const expiry = expiresAt ? t('keys.expires', { date: formatDate(new Date(expiresAt)) }) : t('keys.noExpiry');
  if (scope === 'admin') return expiry;
  const cost =
    budgetUsd !== null && t('keys.costOf', { spent: formatUsd(spentUsd ?? '0'), limit: formatUsd(budgetUsd) });
  return [spent, cost, expiry].filter(Boolean).join(' · ');
}
