import { SelectField } from './select-field';
import type { TotpRoles } from './settings-rules';

const ROLES: Record<TotpRoles, string> = {
  none: 'No account',
  admins: 'Admins',
  members: 'All accounts except admins',
  all: 'All accounts',
};

export const TwoFactorFields = () => (
  <SelectField
    name="totpRequired"
    label="Required for"
    hint="Accounts without it can only set it up, from now on. API keys are not affected."
    options={ROLES}
  />
);
