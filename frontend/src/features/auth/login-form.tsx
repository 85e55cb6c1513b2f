import { Button, Flex, Input, Stack, Text } from '@chakra-ui/react';
import type { LoginRequest, User } from '@tanya/contract';
import { useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { errorText, hasCode } from '../../app/api/api-error';
import { keepChoice } from '../../app/language/keep-choice';
import { keepChatsOf } from '../../app/storage/kept-chats';
import { ownerOf } from '../../app/storage/owner';
import { beginSession } from '../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { openDialog } from '../../app/state/dialogs';
import { LoadingButton } from '../../components/buttons/loading-button';
import { TextButton } from '../../components/buttons/text-button';
import { showFailure } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { CodeField } from './totp/code-field';
import { KeyRound } from 'lucide-react';
import {
  canUsePasskeys,
  logInWithPasskey,
  PasskeyCancelled,
  preloadPasskeys,
} from '../../components/sign-in/passkey-client';

type Values = Required<LoginRequest>;

const EMPTY: Values = { username: '', password: '', rememberMe: false, code: '' };

/** Login in one step, or in two for an account with a second factor. */
export function LoginForm({ onDone }: { onDone: () => void }) {
  const form = useForm<Values>({ defaultValues: EMPTY });
  const [asksCode, setAsksCode] = useState(false);
  const finish = (user: User) => {
    keepChatsOf(form.getValues('rememberMe') ? ownerOf(user) : null);
    void beginSession(user);
    form.reset();
    onDone();
    notify({ title: t('auth.loginSuccess'), description: t('auth.loginSuccessHint') });
  };
  const login = useSingleFlightMutation({
    mutationFn: async (values: LoginRequest) => keepChoice(await api.post<User>('/api/login', values)),
    onSuccess: (user) => finish(user),
    onError: (error) => {
      if (hasCode(error, 'totp_required')) return setAsksCode(true);
      showFailure('auth.loginFailed', error);
      if (hasCode(error, 'totp_invalid'))
        return form.setError('code', { message: errorText(error) }, { shouldFocus: true });
      if (hasCode(error, 'invalid_credentials')) {
        // The password may have been changed between the steps.
        backToPassword();
        form.setError('password', { message: t('login.wrong') });
      }
      // Read beside the fields, as long as it takes: an account may be suspended, or the server out of reach.
      else form.setError('root', { message: errorText(error) });
      form.setFocus('password');
      showServerErrors(error, ['username', 'password', 'code'], form.setError);
    },
  });
  const backToPassword = () => {
    form.resetField('code');
    setAsksCode(false);
  };
  const submit = ({ code, ...credentials }: Values) => login.mutate(asksCode ? { ...credentials, code } : credentials);

  return (
    <form noValidate data-saved={!form.formState.isDirty} onSubmit={form.handleSubmit(submit)}>
      <Stack gap="4">
        {/* The notice announces it. */}
        {form.formState.errors.root && (
          <Text p="3" borderRadius="l2" bg="bg.error" color="fg.error">
            {form.formState.errors.root.message}
          </Text>
        )}
        {asksCode ? <CodeStep form={form} onBack={backToPassword} /> : <PasswordStep form={form} />}
        <LoadingButton type="submit" colorPalette="jade" loading={login.isPending}>
          {t('sidebar.login')}
        </LoadingButton>
        {!asksCode && (
          <PasskeyLogin
            rememberMe={() => form.getValues('rememberMe')}
            onDone={async (user) => finish(await keepChoice(user))}
          />
        )}
      </Stack>
    </form>
  );
}

function PasswordStep({ form }: { form: UseFormReturn<Values> }) {
  const { errors } = form.formState;
  return (
    <>
      <FormField label={t('login.name')} error={errors.username?.message}>
        <Input autoComplete="username" {...form.register('username', { required: t('login.usernameRequired') })} />
      </FormField>
      <FormField label={t('auth.password')} error={errors.password?.message}>
        <PasswordInput
          autoComplete="current-password"
          {...form.register('password', { required: t('login.passwordRequired') })}
        />
      </FormField>
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <FormCheckbox control={form.control} name="rememberMe" label={t('auth.rememberMe')} />
        <TextButton onClick={() => openDialog('forgot-password')}>{t('login.forgot')}</TextButton>
      </Flex>
    </>
  );
}

function CodeStep({ form, onBack }: { form: UseFormReturn<Values>; onBack: () => void }) {
  return (
    <>
      <Text role="status">{t('totp.loginHint')}</Text>
      <CodeField
        autoFocus
        withRecovery
        error={form.formState.errors.code?.message}
        {...form.register('code', { required: t('totp.codeRequired') })}
      />
      <Button variant="ghost" size="sm" alignSelf="start" onClick={onBack}>
        {t('totp.back')}
      </Button>
    </>
  );
}

interface PasskeyLoginProps {
  /** Read when the button is pressed. */
  rememberMe: () => boolean;
  onDone: (user: User) => void | Promise<void>;
}

/** The button to log in with a passkey, where the browser has them. */
function PasskeyLogin({ rememberMe, onDone }: PasskeyLoginProps) {
  const login = useSingleFlightMutation({
    mutationFn: () => logInWithPasskey(rememberMe()),
    onSuccess: onDone,
    onError: (error) => {
      if (error instanceof PasskeyCancelled) return;
      showFailure('auth.loginFailed', error);
    },
  });
  if (!canUsePasskeys()) return null;
  return (
    <LoadingButton
      variant="outline"
      loading={login.isPending}
      onPointerEnter={preloadPasskeys}
      onFocus={preloadPasskeys}
      onClick={() => login.mutate()}
    >
      <KeyRound aria-hidden /> {t('passkeys.login')}
    </LoadingButton>
  );
}
