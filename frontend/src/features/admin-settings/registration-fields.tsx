import { NativeSelect } from '@chakra-ui/react';
import type { RegistrationMode } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { FormField } from '../../components/forms/form-field';
import type { SettingsValues } from './settings-rules';

const LABELS: Record<RegistrationMode, string> = {
  open: 'Open to all visitors',
  approval: 'Approval by an admin',
  closed: 'Closed',
};

export function RegistrationFields() {
  const { register } = useFormContext<SettingsValues>();
  return (
    <FormField
      label="New accounts"
      hint="Pending accounts are approved under Manage Users. Admins can always add users."
    >
      <NativeSelect.Root maxW="20rem">
        <NativeSelect.Field {...register('registrationMode')}>
          {Object.entries(LABELS).map(([mode, label]) => (
            <option key={mode} value={mode}>
              {label}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
