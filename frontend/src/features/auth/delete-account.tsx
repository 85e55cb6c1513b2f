import { Button, Flex, Stack } from '@chakra-ui/react';
import { useNavigate } from '@tanstack/react-router';
import type { DeleteAccountRequest } from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '../../app/api-client';
import { errorText, hasCode } from '../../app/api-error';
import { endSession } from '../../app/live-updates';
import { useChange } from '../../app/use-change';
import { FormField } from '../../components/form-field';
import { notify } from '../../components/notify';
import { PasswordInput } from '../../components/password-input';
import { SteadyButton } from '../../components/steady-button';

/** Asks for the password before it deletes the account. */
export function DeleteAccount({ onDeleted }: { onDeleted: () => void }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const form = useForm<DeleteAccountRequest>({ defaultValues: { password: '' } });
  const remove = useChange({
    mutationFn: (values: DeleteAccountRequest) => api.delete('/api/user', values),
    onSuccess: async () => {
      onDeleted();
      await navigate({ to: '/' });
      void endSession();
      notify({ title: 'Account deleted', description: 'Your account and everything in it are gone.' });
    },
    onError: (error) => {
      if (hasCode(error, 'invalid_credentials')) {
        form.setError('password', { message: error.body?.message }, { shouldFocus: true });
        return;
      }
      notify({ title: 'The account was not deleted', description: errorText(error), kind: 'error' });
    },
  });

  if (!asking) {
    return (
      <Button variant="outline" color="fg.error" alignSelf="start" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
    );
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => remove.mutate(values))}>
      <Stack gap="3">
        <FormField label="Enter your password to confirm" error={form.formState.errors.password?.message}>
          <PasswordInput
            autoFocus
            autoComplete="current-password"
            {...form.register('password', { required: 'Password is required' })}
          />
        </FormField>
        <Flex gap="2">
          <SteadyButton type="submit" colorPalette="red" loading={remove.isPending}>
            Delete my account
          </SteadyButton>
          <Button variant="outline" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}
