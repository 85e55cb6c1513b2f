import { Button, Flex, Stack } from '@chakra-ui/react';
import { useNavigate } from '@tanstack/react-router';
import type { DeleteAccountRequest } from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { errorText, hasCode } from '../../../app/api/api-error';
import { endSession } from '../../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { FormField } from '../../../components/forms/form-field';
import { notify } from '../../../components/feedback/notify';
import { PasswordInput } from '../../../components/forms/password-input';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { SignInAgain } from '../../../components/buttons/sign-in-again';

export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  const focusRef = useFocusRecovery();
  const navigate = useNavigate();
  const form = useForm<DeleteAccountRequest>({ defaultValues: { password: '' } });
  const remove = useSingleFlightMutation({
    mutationFn: ({ password }: DeleteAccountRequest) => api.delete('/api/user', { password: password || undefined }),
    onSuccess: async () => {
      // What is unsaved here is gone with the account.
      await navigate({ to: '/', ignoreBlocker: true });
      void endSession();
      notify({ title: t('account.deleted'), description: t('account.deletedHint') });
    },
    onError: (error) => {
      if (hasCode(error, 'invalid_credentials', 'reauthentication_required')) {
        form.setError('password', { message: errorText(error) }, { shouldFocus: true });
        return;
      }
      notify({ title: t('account.deleteFailed'), description: errorText(error), kind: 'error' });
    },
  });

  const cancel = () => {
    form.reset();
    setAsking(false);
  };

  return (
    <div ref={focusRef}>
      {asking ? (
        <form noValidate onSubmit={form.handleSubmit((values) => remove.mutate(values))}>
          <Stack gap="3">
            <FormField label={t('account.deleteConfirm')} error={form.formState.errors.password?.message}>
              <PasswordInput autoFocus autoComplete="current-password" {...form.register('password')} />
            </FormField>
            <SignInAgain error={remove.error} />
            <Flex gap="2">
              <LoadingButton type="submit" colorPalette="red" loading={remove.isPending}>
                {t('account.deleteMine')}
              </LoadingButton>
              <Button variant="outline" onClick={cancel}>
                {t('common.cancel')}
              </Button>
            </Flex>
          </Stack>
        </form>
      ) : (
        <Button variant="outline" color="fg.error" onClick={() => setAsking(true)}>
          {t('account.deleteMine')}
        </Button>
      )}
    </div>
  );
}
