import { Box, Button, Heading, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import type { AdminModel, ModelPriceChange } from '@tanya/contract';
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import type { ModelFormValues } from './model-form-values';
import { checkPrice, isPerMillion, PRICE_NAMES, type PriceName, toPriceValues } from './price-values';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api/api-client';
import { formatDateTime } from '../../app/i18n/formats';
import { formatExactUsd } from '../../app/i18n/report-formats';
import { LoadError } from '../../components/feedback/load-error';
import { QUERY_KEYS } from '../../app/queries/query-keys';

interface PriceFieldsProps {
  model: AdminModel;
  form: UseFormReturn<ModelFormValues>;
}

export function PriceFields({ model, form }: PriceFieldsProps) {
  const { register, formState } = form;
  return (
    <Stack gap="3" role="group" aria-label={t('prices.title')}>
      <Box>
        <Heading as="h3" textStyle="sm" fontWeight="semibold">
          {t('prices.title')}
        </Heading>
        <Text color="fg.muted">{t('prices.hint')}</Text>
      </Box>
      <PriceInputs
        field={(name) => register(`pricing.${name}`, { validate: (value) => checkPrice(name, value) })}
        errors={formState.errors.pricing}
      />
      <PriceHistory modelId={model.id} />
    </Stack>
  );
}

interface PriceInputsProps {
  field: (name: PriceName) => UseFormRegisterReturn;
  errors: Partial<Record<PriceName, { message?: string }>> | undefined;
}

export const PriceInputs = ({ field, errors }: PriceInputsProps) => (
  <SimpleGrid columns={{ base: 1, sm: 2 }} gap="3">
    {PRICE_NAMES.map((name) => (
      <FormField
        key={name}
        label={t(`prices.${name}`)}
        hint={t(isPerMillion(name) ? 'prices.perMillion' : 'prices.perUnit')}
        error={errors?.[name]?.message}
      >
        <Input inputMode="decimal" autoComplete="off" placeholder={t('prices.unknown')} {...field(name)} />
      </FormField>
    ))}
  </SimpleGrid>
);

const pricesQuery = (modelId: number) =>
  queryOptions({
    queryKey: [...QUERY_KEYS.adminModels, modelId, 'prices'],
    queryFn: ({ signal }) => api.get<ModelPriceChange[]>(`/api/admin/models/${modelId}/prices`, signal),
    // Another admin may have changed the prices.
    staleTime: 0,
  });

/** Since when the prices apply and who set them, and on request the earlier ones. */
function PriceHistory({ modelId }: { modelId: number }) {
  const { data: changes, isLoadingError, refetch } = useQuery(pricesQuery(modelId));
  const [isOpen, setOpen] = useState(false);
  if (isLoadingError) return <LoadError message={t('prices.loadError')} onRetry={refetch} />;
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
