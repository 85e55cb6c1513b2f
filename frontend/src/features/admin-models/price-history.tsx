import { Box, Button, Stack, Text } from '@chakra-ui/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ModelPriceChange } from '@tanya/contract';
import { useState } from 'react';
import { api } from '../../app/api/api-client';
import { formatDateTime } from '../../app/i18n/formats';
import { formatExactUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { isPerMillion, PRICE_NAMES, toPriceValues } from './price-values';
import { QUERY_KEYS } from '../../app/queries/query-keys';

const pricesQuery = (modelId: number) =>
  queryOptions({
    queryKey: [...QUERY_KEYS.adminModels, modelId, 'prices'],
    queryFn: ({ signal }) => api.get<ModelPriceChange[]>(`/api/admin/models/${modelId}/prices`, signal),
    // Another admin may have changed the prices.
    staleTime: 0,
  });

/** Since when the prices apply and who set them, and on request the earlier ones. */
export function PriceHistory({ modelId }: { modelId: number }) {
  const { data: changes, isLoadingError, refetch } = useQuery(pricesQuery(modelId));
  const [isOpen, setOpen] = useState(false);
  if (isLoadingError) return <LoadError message={t('prices.loadError')} onRetry={() => void refetch()} />;
  const [present, ...earlier] = changes ?? [];
  if (!present) return null;
  return (
    <Stack gap="2" align="start">
      <Text color="fg.muted">{originOf(present)}</Text>
      {earlier.length > 0 && (
        <Button size="xs" variant="outline" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('prices.hideEarlier') : t('prices.showEarlier')}
        </Button>
      )}
      {isOpen && (
        <Stack as="ol" listStyleType="none" gap="2" aria-label={t('prices.earlier')} width="100%">
          {earlier.map((change, index) => (
            <Box as="li" key={index} borderTopWidth="1px" pt="2">
              <Text>{pricesOf(change)}</Text>
              <Text textStyle="xs" color="fg.muted">
                {originOf(change)}
              </Text>
            </Box>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function originOf({ validFrom, source }: ModelPriceChange): string {
  const time = formatDateTime(new Date(validFrom));
  return source === null ? t('prices.since', { time }) : t(`prices.since_${source}`, { time });
}

function pricesOf({ pricing }: ModelPriceChange): string {
  const values = toPriceValues(pricing);
  const known = PRICE_NAMES.filter((name) => values[name] !== '');
  if (known.length === 0) return t('prices.allUnknown');
  return known
    .map((name) => {
      const price = { name: t(`prices.${name}`), price: formatExactUsd(values[name]) };
      return isPerMillion(name) ? t('prices.tokenPrice', price) : t('prices.unitPrice', price);
    })
    .join(' · ');
}
