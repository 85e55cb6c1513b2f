import { Button, Stack, Text } from '@chakra-ui/react';
import type { CompleteSignInRequest, User } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { api } from '../../../app/api/api-client';
import { errorText, hasCode } from '../../../app/api/api-error';
import { t } from '../../../app/i18n/translate';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { beginSession } from '../../../app/session/session-lifecycle';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { keepChoice } from '../keep-choice';
import { CodeField } from '../totp/code-field';

/** Ends a login at a provider with the code of the account's second factor. */
export function CodeForm({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const form = useForm<CompleteSignInRequest>({ defaultValues: { code: '' } });
  const complete = useSingleFlightMutation({
    mutationFn: async (request: CompleteSignInRequest) =>
      keepChoice(await api.post<User>('/api/auth/oidc/complete', request)),
    onSuccess: (user) => {
      void beginSession(user);
      onDone();
      notify({ title: t('auth.loginSuccess'), description: t('auth.loginSuccessHint') });
    },
    onError: (error) => {
      if (hasCode(error, 'totp_invalid'))
        return form.setError('code', { message: errorText(error) }, { shouldFocus: true });
      fail('auth.loginFailed')(error);
      if (hasCode(error, 'sign_in_failed')) onBack();
    },
  });
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => complete.mutate(values))}>
      <Stack gap="4">
        <Text role="status">{t('signIn.codeHint')}</Text>
        <CodeField
          autoFocus
          withRecovery
          error={form.formState.errors.code?.message}
          {...form.register('code', { required: t('totp.codeRequired') })}
        />
        <LoadingButton type="submit" colorPalette="jade" loading={complete.isPending}>
          {t('sidebar.login')}
        </LoadingButton>
        <Button variant="ghost" size="sm" alignSelf="start" onClick={onBack}>
          {t('signIn.again')}
        </Button>
      </Stack>
    </form>
  );
}
