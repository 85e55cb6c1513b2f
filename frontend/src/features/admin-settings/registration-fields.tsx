import type { RegistrationMode } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { SelectField } from './select-field';

const MODES = {
  open: 'settingsPage.open',
  approval: 'settingsPage.approval',
  closed: 'settingsPage.closed',
} as const satisfies Record<RegistrationMode, string>;

export const RegistrationFields = () => (
  <SelectField
    name="registrationMode"
    label={t('settingsPage.newAccounts')}
    hint={t('settingsPage.newAccountsHint')}
    options={MODES}
  />
);
