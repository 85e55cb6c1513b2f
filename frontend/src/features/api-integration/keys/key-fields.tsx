import { Input } from '@chakra-ui/react';
import { LIMITS } from '@tanya/contract';
import type { UseFormReturn } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { FormField } from '../../../components/forms/form-field';
import { localDay, expiryRule, KEY_RULES, type KeyValues } from './key-values';
import { ModelsField } from './models-field';

export interface FieldProps {
  form: UseFormReturn<KeyValues>;
}

export const NameField = ({ form: { register, formState } }: FieldProps) => (
  <FormField label={t('common.name')} error={formState.errors.name?.message}>
    <Input
      placeholder={t('keys.namePlaceholder')}
      maxLength={LIMITS.apiKeyName.max}
      {...register('name', { validate: KEY_RULES.name })}
    />
  </FormField>
);

interface ExpiryFieldProps extends FieldProps {
  hint: string;
  /** The last day that may be chosen. */
  latest?: string;
}

export const ExpiryField = ({ form: { register, formState }, hint, latest = '9999-12-31' }: ExpiryFieldProps) => (
  <FormField label={t('keys.expiry')} hint={hint} error={formState.errors.expiresAt?.message}>
    <Input
      type="date"
      min={localDay(new Date())}
      max={latest}
      {...register('expiresAt', { validate: expiryRule(formState.defaultValues?.expiresAt ?? '') })}
    />
  </FormField>
);

/** How much a key may use, and which models. */
export function LimitFields({ form: { control, register, formState } }: FieldProps) {
  const { errors } = formState;
  return (
    <>
      <FormField label={t('keys.cap')} hint={t('keys.capHint')} error={errors.messageCap?.message}>
        <Input
          inputMode="numeric"
          maxLength={String(LIMITS.apiKeyMessageCap.max).length}
          {...register('messageCap', { validate: KEY_RULES.messageCap })}
        />
      </FormField>
      <FormField label={t('budgets.own')} hint={t('keys.budgetHint')} error={errors.budgetUsd?.message}>
        <Input inputMode="decimal" maxLength={24} {...register('budgetUsd', { validate: KEY_RULES.budgetUsd })} />
      </FormField>
      <ModelsField control={control} />
    </>
  );
}
