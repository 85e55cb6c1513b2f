import { Button, Flex, Stack } from '@chakra-ui/react';
import { useNavigate } from '@tanstack/react-router';
import type { DeleteAccountRequest } from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { endSession } from '../../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';

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
      if (showPasswordRefusal(error, form, 'password')) return;
      fail('account.deleteFailed')(error);
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
            <CurrentPassword form={form} name="password" label={t('account.deleteConfirm')} autoFocus />
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
