import { Stack } from '@chakra-ui/react';
import { LIMITS, type ConfirmPasswordResetRequest } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { hasCode } from '../../app/api/api-error';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../components/buttons/loading-button';
import { showFailure } from '../../components/feedback/fail';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { usePageTitle } from '../../components/layout/use-page-title';
import { Frame, HomeButton } from './link-frame';
import { RULES } from './register-rules';

const NEW_PASSWORD = { newPassword: '', confirmPassword: '', endApiKeys: false };

export function ResetPasswordPage({ token }: { token: string }) {
  usePageTitle(t('account.newPassword'));
  const form = useForm({ defaultValues: NEW_PASSWORD });
  const { errors, isDirty } = form.formState;
  const reset = useSingleFlightMutation({
    mutationFn: ({ newPassword, endApiKeys }: typeof NEW_PASSWORD) => {
      const body: ConfirmPasswordResetRequest = { token, newPassword, endApiKeys };
      return api.post('/api/password-reset/confirm', body);
    },
    onError: (error) => {
      if (hasCode(error, 'reset_invalid', 'not_found')) return;
      showFailure('account.passwordFailed', error);
      showServerErrors(error, ['newPassword'], form.setError);
    },
  });

  if (reset.isSuccess) return <Done />;
  if (token === '' || hasCode(reset.error, 'reset_invalid', 'not_found')) return <Invalid />;
  return (
    <Frame title={t('reset.title')} sentence={t('reset.sentence')}>
      <form noValidate data-saved={!isDirty} onSubmit={form.handleSubmit((values) => reset.mutate(values))}>
        <Stack gap="4" textAlign="start">
          <FormField
            label={t('account.newPassword')}
            hint={t('account.passwordHint', { min: LIMITS.password.min })}
            error={errors.newPassword?.message}
          >
            <PasswordInput
              autoComplete="new-password"
              maxLength={LIMITS.password.max}
              {...form.register('newPassword', { validate: RULES.password })}
            />
          </FormField>
          <FormField label={t('auth.confirmPassword')} error={errors.confirmPassword?.message}>
            <PasswordInput
              autoComplete="new-password"
              {...form.register('confirmPassword', {
                validate: (value, { newPassword }) => RULES.confirmPassword(value, { password: newPassword }),
              })}
            />
          </FormField>
          <FormCheckbox control={form.control} name="endApiKeys" label={t('account.endApiKeys')} />
          <LoadingButton type="submit" colorPalette="jade" loading={reset.isPending}>
            {t('reset.set')}
          </LoadingButton>
        </Stack>
      </form>
    </Frame>
  );
}

function Done() {
  return (
    <Frame isResult title={t('account.passwordChanged')} sentence={t('reset.done')}>
      <HomeButton dialog="login">{t('sidebar.login')}</HomeButton>
    </Frame>
  );
}

function Invalid() {
  return (
    <Frame isResult title={t('reset.invalid')} sentence={t('reset.invalidHint')}>
      <HomeButton dialog="forgot-password">{t('reset.requestNew')}</HomeButton>
    </Frame>
  );
}
