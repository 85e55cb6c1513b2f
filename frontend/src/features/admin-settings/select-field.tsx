import { NativeSelect } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import { FormField } from '../../components/forms/form-field';
import type { SettingsValues } from './settings-rules';

interface SelectFieldProps {
  name: 'registrationMode' | 'totpRequired';
  label: string;
  hint: string;
  /** The choices in their order, with their labels. */
  options: Record<string, string>;
}

/** A setting with a few fixed choices. */
export function SelectField({ name, label, hint, options }: SelectFieldProps) {
  const { register } = useFormContext<SettingsValues>();
  return (
    <FormField label={label} hint={hint}>
      <NativeSelect.Root maxW="20rem">
        <NativeSelect.Field {...register(name)}>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
