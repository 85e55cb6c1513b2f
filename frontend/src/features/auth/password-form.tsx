import { Stack } from '@chakra-ui/react';
import { LIMITS, type ChangePasswordRequest } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { errorText, hasCode } from '../../app/api/api-error';
import { renewSession } from '../../app/session/session-lifecycle';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { notify } from '../../components/feedback/notify';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { LoadingButton } from '../../components/buttons/loading-button';
import { SignInAgain } from '../../components/buttons/sign-in-again';
import { RULES } from './register-rules';

const EMPTY: Required<ChangePasswordRequest> = { currentPassword: '', newPassword: '', endApiKeys: false };

export function PasswordForm({ username }: { username: string }) {
  const form = useForm<ChangePasswordRequest>({ defaultValues: EMPTY });
  const { errors, isDirty } = form.formState;
  const change = useSingleFlightMutation({
    mutationFn: ({ currentPassword, ...values }: ChangePasswordRequest) =>
      api.post('/api/user/password', { ...values, currentPassword: currentPassword || undefined }),
    onSuccess: () => {
      renewSession();
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      form.reset();
      notify({ title: t('account.passwordChanged') });
    },
    onError: (error) => {
      if (hasCode(error, 'invalid_credentials', 'reauthentication_required')) {
        form.setError('currentPassword', { message: errorText(error) }, { shouldFocus: true });
        return;
      }
      notify({ title: t('account.passwordFailed'), description: errorText(error), kind: 'error' });
      showServerErrors(error, ['currentPassword', 'newPassword'], form.setError);
    },
  });

  return (
    <form noValidate data-saved={!isDirty} onSubmit={form.handleSubmit((values) => change.mutate(values))}>
      <Stack gap="3" align="start">
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <FormField label={t('account.currentPassword')} error={errors.currentPassword?.message}>
          <PasswordInput autoComplete="current-password" {...form.register('currentPassword')} />
        </FormField>
        <FormField label={t('account.newPassword')} error={errors.newPassword?.message}>
          <PasswordInput
            autoComplete="new-password"
            maxLength={LIMITS.password.max}
            {...form.register('newPassword', { validate: RULES.password })}
          />
        </FormField>
        <FormCheckbox control={form.control} name="endApiKeys" label={t('account.endApiKeys')} />
        <SignInAgain error={change.error} />
        <LoadingButton type="submit" variant="outline" loading={change.isPending}>
          {t('account.changePassword')}
        </LoadingButton>
      </Stack>
    </form>
  );
}
