import { Stack, Text } from '@chakra-ui/react';
import { type AccessMode, MODEL_KINDS, type ModelBatchRequest, type ModelKind } from '@tanya/contract';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { accessChange, accessOptions, GroupChecks } from '../../components/forms/access-fields';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import { BatchDialog } from '../../components/tables/batch-dialog';
import type { Selection } from '../../components/tables/selection';
import { KIND_NAMES } from './model-fields';
import { useChangeModels } from './model-mutations';
import { PriceInputs } from './price-fields';
import { checkPrice, type PriceValues, toPriceValues, toPricing } from './price-values';

/** '' changes nothing. */
interface BatchValues {
  isEnabled: '' | 'true' | 'false';
  isApiEnabled: '' | 'true' | 'false';
  kind: '' | ModelKind;
  access: '' | AccessMode;
  groupIds: number[];
  prices: '' | 'set';
  pricing: PriceValues;
}

const NO_CHANGE: BatchValues = {
  isEnabled: '',
  isApiEnabled: '',
  kind: '',
  access: '',
  groupIds: [],
  prices: '',
  pricing: toPriceValues(null),
};

const isEmpty = ({ isEnabled, isApiEnabled, kind, access, prices }: Partial<Omit<BatchValues, 'pricing'>>): boolean =>
  !isEnabled && !isApiEnabled && !kind && !access && !prices;

function changesOf(values: BatchValues): ModelBatchRequest['changes'] {
  const { isEnabled, isApiEnabled, kind, access, groupIds, prices, pricing } = values;
  return {
    ...(isEnabled && { isEnabled: isEnabled === 'true' }),
    ...(isApiEnabled && { isApiEnabled: isApiEnabled === 'true' }),
    ...(kind && { kind }),
    ...(access && accessChange({ access, groupIds })),
    ...(prices && { pricing: toPricing(pricing, null) }),
  };
}

export function ModelBatchDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const form = useForm<BatchValues>({ defaultValues: NO_CHANGE });
  const values = useWatch({ control: form.control });
  const change = useChangeModels(selection, onClose);
  const { register, formState } = form;
  return (
    <BatchDialog
      title={(count) => t('batch.models', { count })}
      selection={selection}
      form={form}
      change={change}
      isEmpty={isEmpty(values)}
      toChanges={changesOf}
      onClose={onClose}
    >
      <FormField label={t('modelsPage.status')}>
        <Select
          {...register('isEnabled')}
          options={[
            ['', t('batch.keep')],
            ['true', t('modelsPage.enabled')],
            ['false', t('modelsPage.disabled')],
          ]}
        />
      </FormField>
      <FormField label={t('modelsPage.api')}>
        <Select
          {...register('isApiEnabled')}
          options={[
            ['', t('batch.keep')],
            ['true', t('modelsPage.apiEnabled')],
            ['false', t('modelsPage.apiDisabled')],
          ]}
        />
      </FormField>
      <FormField label={t('modelsPage.kind')}>
        <Select
          {...register('kind')}
          options={[['', t('batch.keep')], ...MODEL_KINDS.map((kind) => [kind, t(KIND_NAMES[kind])] as const)]}
        />
      </FormField>
      <FormField label={t('groups.access')}>
        <Select {...register('access')} options={[['', t('batch.keep')], ...accessOptions()]} />
      </FormField>
      {values.access === 'groups' && (
        <Controller
          control={form.control}
          name="groupIds"
          render={({ field }) => (
            <GroupChecks legend={t('groups.allowed')} groupIds={field.value} onChange={field.onChange} />
          )}
        />
      )}
      <FormField label={t('batch.prices')}>
        <Select
          {...register('prices')}
          options={[
            ['', t('batch.keep')],
            ['set', t('batch.setPrices')],
          ]}
        />
      </FormField>
      {values.prices === 'set' && (
        <Stack gap="3" role="group" aria-label={t('prices.title')}>
          <Text color="fg.muted">{t('batch.pricesHint')}</Text>
          <PriceInputs
            field={(name) => register(`pricing.${name}`, { validate: (value) => checkPrice(name, value) })}
            errors={formState.errors.pricing}
          />
        </Stack>
      )}
    </BatchDialog>
  );
}
