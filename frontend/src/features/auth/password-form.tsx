import { Stack } from '@chakra-ui/react';
import { LIMITS, type ChangePasswordRequest } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { api } from '../../app/api/api-client';
import { errorText, hasCode } from '../../app/api/api-error';
import { renewSession } from '../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { FormField } from '../../components/forms/form-field';
import { notify } from '../../components/feedback/notify';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RULES } from './register-rules';

export function PasswordForm({ username }: { username: string }) {
  const form = useForm<ChangePasswordRequest>({ defaultValues: { currentPassword: '', newPassword: '' } });
  const { errors } = form.formState;
  const change = useSingleFlightMutation({
    mutationFn: (values: ChangePasswordRequest) => api.post('/api/user/password', values),
    onSuccess: () => {
      renewSession();
      form.reset();
      notify({ title: 'Password changed' });
    },
    onError: (error) => {
      if (hasCode(error, 'invalid_credentials')) {
        form.setError('currentPassword', { message: error.body?.message }, { shouldFocus: true });
        return;
      }
      notify({ title: 'The password was not changed', description: errorText(error), kind: 'error' });
      showServerErrors(error, ['currentPassword', 'newPassword'], form.setError);
    },
  });

  return (
    <form noValidate onSubmit={form.handleSubmit((values) => change.mutate(values))}>
      <Stack gap="3" align="start">
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <FormField label="Current password" error={errors.currentPassword?.message}>
          <PasswordInput
            autoComplete="current-password"
            {...form.register('currentPassword', { required: 'Enter your current password' })}
          />
        </FormField>
        <FormField label="New password" error={errors.newPassword?.message}>
          <PasswordInput
            autoComplete="new-password"
            maxLength={LIMITS.password.max}
            {...form.register('newPassword', { validate: RULES.password })}
          />
        </FormField>
        <LoadingButton type="submit" variant="outline" loading={change.isPending}>
          Change password
        </LoadingButton>
      </Stack>
    </form>
  );
}
