import { NativeSelect } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import { FormField } from '../../components/forms/form-field';
import type { SettingsValues, TotpRoles } from './settings-rules';

const LABELS: Record<TotpRoles, string> = {
  none: 'No account',
  admins: 'Admins',
  members: 'All accounts except admins',
  all: 'All accounts',
};

export function TwoFactorFields() {
  const { register } = useFormContext<SettingsValues>();
  return (
    <FormField
      label="Required for"
      hint="Accounts without it can only set it up, from now on. API keys are not affected."
    >
      <NativeSelect.Root maxW="20rem">
        <NativeSelect.Field {...register('totpRequired')}>
          {Object.entries(LABELS).map(([roles, label]) => (
            <option key={roles} value={roles}>
              {label}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
