import type { RegistrationMode } from '@tanya/contract';
import { SelectField } from './select-field';

const MODES: Record<RegistrationMode, string> = {
  open: 'Open to all visitors',
  approval: 'Approval by an admin',
  closed: 'Closed',
};

export const RegistrationFields = () => (
  <SelectField
    name="registrationMode"
    label="New accounts"
    hint="Pending accounts are approved under Manage Users. Admins can always add users."
    options={MODES}
  />
);
