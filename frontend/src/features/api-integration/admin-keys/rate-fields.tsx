import { Input } from '@chakra-ui/react';
import { t } from '../../../app/i18n/translate';
import { FormField } from '../../../components/forms/form-field';
import type { FieldProps } from '../keys/key-fields';
import { KEY_RULES } from '../keys/key-values';

/** The rates of a key, which admins alone set. */
export function RateFields({ form: { register, formState } }: FieldProps) {
  return (['requestsPerMinute', 'tokensPerMinute'] as const).map((name) => (
    <FormField
      key={name}
      label={t(name === 'requestsPerMinute' ? 'adminKeys.requests' : 'adminKeys.tokens')}
      hint={t('adminKeys.rateHint')}
      error={formState.errors[name]?.message}
    >
      <Input maxLength={12} {...register(name, { validate: KEY_RULES.rate })} />
    </FormField>
  ));
}
