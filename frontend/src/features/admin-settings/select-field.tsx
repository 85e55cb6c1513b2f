import { NativeSelect } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import type { PlainTextKey } from '../../texts/catalogue';
import type { SettingsValues } from './settings-rules';

interface SelectFieldProps {
  name: 'registrationMode' | 'sharingEnabled' | 'totpRequired' | 'defaultLanguage';
  label: string;
  hint: string;
  /** The choices in their order, with the keys of their labels. */
  options: Record<string, PlainTextKey>;
}

/** A setting with a few fixed choices. */
export function SelectField({ name, label, hint, options }: SelectFieldProps) {
  const { register } = useFormContext<SettingsValues>();
  return (
    <FormField label={label} hint={hint}>
      <NativeSelect.Root maxW="20rem">
        <NativeSelect.Field {...register(name)}>
          {Object.entries(options).map(([value, key]) => (
            <option key={value} value={value}>
              {t(key)}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
