import { Input, Stack } from '@chakra-ui/react';
import { TEXTS, type LoginRequest, type User } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { beginSession } from '../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { notify } from '../../components/feedback/notify';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { LoadingButton } from '../../components/buttons/loading-button';

export function LoginForm({ onDone }: { onDone: () => void }) {
  const form = useForm<Required<LoginRequest>>({ defaultValues: { username: '', password: '', rememberMe: false } });
  const { errors } = form.formState;
  const login = useSingleFlightMutation({
    mutationFn: (values: LoginRequest) => api.post<User>('/api/login', values),
    onSuccess: (user) => {
      void beginSession(user);
      form.reset();
      onDone();
      notify({ title: TEXTS.auth.loginSuccess, description: TEXTS.auth.loginSuccessHint });
    },
    onError: (error) => {
      notify({ title: TEXTS.auth.loginFailed, description: errorText(error), kind: 'error' });
      form.setFocus('password');
      showServerErrors(error, ['username', 'password'], form.setError);
    },
  });

  return (
    <form noValidate onSubmit={form.handleSubmit((values) => login.mutate(values))}>
      <Stack gap="4">
        <FormField label={TEXTS.auth.username} error={errors.username?.message}>
          <Input autoComplete="username" {...form.register('username', { required: 'Username is required' })} />
        </FormField>
        <FormField label={TEXTS.auth.password} error={errors.password?.message}>
          <PasswordInput
            autoComplete="current-password"
            {...form.register('password', { required: 'Password is required' })}
          />
        </FormField>
        <FormCheckbox control={form.control} name="rememberMe" label={TEXTS.auth.rememberMe} />
        <LoadingButton type="submit" colorPalette="jade" loading={login.isPending}>
          {TEXTS.sidebar.login}
        </LoadingButton>
      </Stack>
    </form>
  );
}
