import { Button } from '@chakra-ui/react';
import { ADMIN_TEXTS, LIMITS, type AdminUser } from '@tanya/contract';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../../app/api/api-error';
import { FormField } from '../../components/forms/form-field';
import { Modal } from '../../components/dialogs/modal';
import { PasswordInput } from '../../components/forms/password-input';
import { LoadingButton } from '../../components/buttons/loading-button';
import { useResetPassword } from './user-mutations';

export function ResetPasswordDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const reset = useResetPassword(user, onClose);
  const details = reset.error instanceof ApiError ? reset.error.body?.details : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) reset.mutate(password);
  };
  return (
    <Modal
      title="Reset Password"
      description={`For ${user.fullName || user.username}. ${ADMIN_TEXTS.users.resetHint}`}
      onClose={onClose}
      initialFocus={input}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <LoadingButton
            type="submit"
            colorPalette="jade"
            form="reset-password"
            disabled={!password}
            loading={reset.isPending}
          >
            Reset Password
          </LoadingButton>
        </>
      }
    >
      <form id="reset-password" noValidate onSubmit={submit}>
        <FormField
          label="New Password"
          hint={`At least ${LIMITS.password.min} characters`}
          error={details?.find(({ field }) => field === 'newPassword')?.message}
        >
          <PasswordInput
            ref={input}
            autoComplete="new-password"
            value={password}
            maxLength={LIMITS.password.max}
            onChange={(event) => setPassword(event.target.value)}
          />
        </FormField>
      </form>
    </Modal>
  );
}
