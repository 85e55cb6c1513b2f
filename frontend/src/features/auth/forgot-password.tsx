import { Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, type PasswordResetRequest } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { ContactText } from '../../components/buttons/admin-contact';
import { LoadingButton } from '../../components/buttons/loading-button';
import { fail } from '../../components/feedback/fail';
import { FormField } from '../../components/forms/form-field';
import { EmailInput } from '../../components/forms/person-inputs';
import { FocusedText } from './focused-text';
import { RULES } from './register-rules';

/** Requests a link to reset the password. A site that sends no mail refers to its admin. */
export function ForgotPassword() {
  const { data: settings } = useQuery(settingsQuery);
  if (settings && !settings.passwordReset)
    return (
      <Text>
        <ContactText text={t('reset.noMail')} />
      </Text>
    );
  return <RequestForm />;
}

function RequestForm() {
  const form = useForm<PasswordResetRequest>({ defaultValues: { email: '' } });
  const request = useSingleFlightMutation({
    mutationFn: ({ email }: PasswordResetRequest) => api.post('/api/password-reset', { email: email.trim() }),
    onError: fail('reset.requestFailed'),
  });
  if (request.isSuccess) return <FocusedText>{t('reset.sent', { minutes: LIMITS.resetMinutes })}</FocusedText>;
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => request.mutate(values))}>
      <Stack gap="4">
        <FormField label={t('auth.email')} hint={t('reset.emailHint')} error={form.formState.errors.email?.message}>
          <EmailInput {...form.register('email', { validate: RULES.email })} />
        </FormField>
        <LoadingButton type="submit" colorPalette="jade" loading={request.isPending}>
          {t('reset.send')}
        </LoadingButton>
      </Stack>
    </form>
  );
}
