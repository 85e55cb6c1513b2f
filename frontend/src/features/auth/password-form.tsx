import { Stack } from '@chakra-ui/react';
import { LIMITS, type ChangePasswordRequest } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { renewSession } from '../../app/session/session-lifecycle';
import { queryClient } from '../../app/queries/query-client';
import { QUERY_KEYS } from '../../app/queries/query-keys';
import { currentUserQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { showFailure } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { LoadingButton } from '../../components/buttons/loading-button';
import { CurrentPassword, showPasswordRefusal } from '../../components/sign-in/current-password';
import { RULES } from './register-rules';

const EMPTY: Required<ChangePasswordRequest> = { currentPassword: '', newPassword: '', endApiKeys: false };

export function PasswordForm() {
  const form = useForm<ChangePasswordRequest>({ defaultValues: EMPTY });
  const { errors, isDirty } = form.formState;
  const change = useSingleFlightMutation({
    mutationFn: ({ currentPassword, ...values }: ChangePasswordRequest) =>
      api.post('/api/user/password', { ...values, currentPassword: currentPassword || undefined }),
    onSuccess: () => {
      renewSession();
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions });
      form.reset();
      notify({ title: t('account.passwordChanged') });
    },
    onError: (error) => {
      if (showPasswordRefusal(error, form, 'currentPassword')) return;
      showFailure('account.passwordFailed', error);
      showServerErrors(error, ['currentPassword', 'newPassword'], form.setError);
    },
  });

  return (
    <form noValidate data-saved={!isDirty} onSubmit={form.handleSubmit((values) => change.mutate(values))}>
      <Stack gap="3" align="start">
        <CurrentPassword form={form} name="currentPassword" label={t('account.currentPassword')} />
        <FormField label={t('account.newPassword')} error={errors.newPassword?.message}>
          <PasswordInput
            autoComplete="new-password"
            maxLength={LIMITS.password.max}
            {...form.register('newPassword', { validate: RULES.password })}
          />
        </FormField>
        <FormCheckbox control={form.control} name="endApiKeys" label={t('account.endApiKeys')} />
        <LoadingButton type="submit" variant="outline" loading={change.isPending}>
          {t('account.changePassword')}
        </LoadingButton>
      </Stack>
    </form>
  );
}
