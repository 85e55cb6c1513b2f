import { Button, Checkbox } from '@chakra-ui/react';
import { LIMITS, type AdminUser } from '@tanya/contract';
import { useRef, useState, type FormEvent } from 'react';
import { fieldSentence } from '../../app/i18n/error-sentence';
import { t } from '../../app/i18n/translate';
import { ApiError } from '../../app/api/api-error';
import { FormField } from '../../components/forms/form-field';
import { Modal } from '../../components/dialogs/modal';
import { PasswordInput } from '../../components/forms/password-input';
import { LoadingButton } from '../../components/buttons/loading-button';
import { useResetPassword } from './user-mutations';

export function ResetPasswordDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [endApiKeys, setEndApiKeys] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const reset = useResetPassword(user, onClose);
  const details = reset.error instanceof ApiError ? reset.error.body?.details : undefined;
  const refusal = Array.isArray(details) ? details.find(({ field }) => field === 'newPassword') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) reset.mutate({ newPassword: password, endApiKeys });
  };
  return (
    <Modal
      title={t('usersPage.resetPassword')}
      description={`${t('usersPage.resetFor', { name: user.fullName || user.username })} ${t('users.resetHint')}`}
      onClose={onClose}
      initialFocus={input}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <LoadingButton
            type="submit"
            colorPalette="jade"
            form="reset-password"
            disabled={!password}
            loading={reset.isPending}
          >
            {t('usersPage.resetPassword')}
          </LoadingButton>
        </>
      }
    >
      <form id="reset-password" noValidate onSubmit={submit}>
        <FormField
          label={t('usersPage.newPassword')}
          hint={t('usersPage.passwordHint', { min: LIMITS.password.min })}
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
        <Checkbox.Root
          mt="3"
          colorPalette="jade"
          checked={endApiKeys}
          onCheckedChange={({ checked }) => setEndApiKeys(checked === true)}
        >
          <Checkbox.HiddenInput />
          <Checkbox.Control />
          <Checkbox.Label>{t('usersPage.endApiKeys')}</Checkbox.Label>
        </Checkbox.Root>
      </form>
    </Modal>
  );
}
