import { Input, Stack } from '@chakra-ui/react';
import { TEXTS, type LoginRequest, type User } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { api } from '../../app/api-client';
import { errorText } from '../../app/api-error';
import { beginSession } from '../../app/live-updates';
import { useChange } from '../../app/use-change';
import { FormCheckbox } from '../../components/form-checkbox';
import { FormField } from '../../components/form-field';
import { notify } from '../../components/notify';
import { PasswordInput } from '../../components/password-input';
import { showServerErrors } from '../../components/server-errors';
import { SteadyButton } from '../../components/steady-button';

export function LoginForm({ onDone }: { onDone: () => void }) {
  const form = useForm<Required<LoginRequest>>({ defaultValues: { username: '', password: '', rememberMe: false } });
  const { errors } = form.formState;
  const login = useChange({
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
        <SteadyButton type="submit" colorPalette="jade" loading={login.isPending}>
          {TEXTS.sidebar.login}
        </SteadyButton>
      </Stack>
    </form>
  );
}
