import type { RegistrationMode } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { SettingField } from './setting-field';

const MODES = {
  open: 'settingsPage.open',
  approval: 'settingsPage.approval',
  closed: 'settingsPage.closed',
} as const satisfies Record<RegistrationMode, string>;

export const RegistrationFields = () => <SettingField name="registrationMode" options={MODES} />;

/** Names of the roles that must have a second factor, separated by a blank. */
const ROLES = {
  '': 'settingsPage.totpNone',
  admin: 'settingsPage.totpAdmins',
  member: 'settingsPage.totpMembers',
  'admin member': 'settingsPage.totpAll',
} as const;

export const TwoFactorFields = () => (
  <SettingField name="totpRequired" label={t('settingsPage.totpRequired')} options={ROLES} />
);
