import { Box, Heading, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import type { AdminModel } from '@tanya/contract';
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import type { ModelFormValues } from './model-form-values';
import { PriceHistory } from './price-history';
import { checkPrice, isPerMillion, type PriceName, PRICE_NAMES } from './price-values';

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
