import { LIMITS, type AdminUser } from '@tanya/contract';
import { useRef, useState } from 'react';
import { fieldSentence } from '../../app/i18n/error-sentence';
import { t } from '../../app/i18n/translate';
import { ApiError } from '../../app/api/api-error';
import { FormField } from '../../components/forms/form-field';
import { FormModal } from '../../components/dialogs/form-modal';
import { LabelledCheckbox } from '../../components/forms/labelled-checkbox';
import { PasswordInput } from '../../components/forms/password-input';
import { useResetPassword } from './user-mutations';

export function ResetPasswordDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [endApiKeys, setEndApiKeys] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reset = useResetPassword(user, onClose);
  const details = reset.error instanceof ApiError ? reset.error.body?.details : undefined;
  const refusal = Array.isArray(details) ? details.find(({ field }) => field === 'newPassword') : undefined;
  return (
    <FormModal
      size="sm"
      title={t('usersPage.resetPassword')}
      description={`${t('usersPage.resetFor', { name: user.fullName || user.username })} ${t('users.resetHint')}`}
      action={t('usersPage.resetPassword')}
      pending={reset.isPending}
      disabled={!password}
      initialFocus={input}
      onSubmit={() => password && reset.mutate({ newPassword: password, endApiKeys })}
      onClose={onClose}
    >
      <FormField
        label={t('usersPage.newPassword')}
        hint={t('account.passwordHint', { min: LIMITS.password.min })}
        error={refusal && fieldSentence(refusal)}
      >
        <PasswordInput
          ref={input}
          autoComplete="new-password"
          value={password}
          maxLength={LIMITS.password.max}
          onChange={(event) => setPassword(event.target.value)}
        />
      </FormField>
      <LabelledCheckbox
        label={t('usersPage.endApiKeys')}
        checked={endApiKeys}
        onCheckedChange={({ checked }) => setEndApiKeys(checked === true)}
      />
    </FormModal>
  );
}
