import { t } from '../../app/i18n/translate';
import { SelectField } from './select-field';
import type { TotpRoles } from './settings-rules';

const ROLES = {
  none: 'settingsPage.totpNone',
  admins: 'settingsPage.totpAdmins',
  members: 'settingsPage.totpMembers',
  all: 'settingsPage.totpAll',
} as const satisfies Record<TotpRoles, string>;

export const TwoFactorFields = () => (
  <SelectField
    name="totpRequired"
    label={t('settingsPage.totpRequired')}
    hint={t('settingsPage.totpRequiredHint')}
    options={ROLES}
  />
);
