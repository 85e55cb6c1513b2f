import { Button, Flex, Stack } from '@chakra-ui/react';
import type { User } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { errorText, hasCode } from '../../../app/api/api-error';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { notify } from '../../../components/feedback/notify';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';
import { CodeField } from './code-field';

/** A person who has just signed in with a passkey or at a provider leaves the password out. */
interface Values {
  password?: string;
  code?: string;
}

interface PasswordAndCodeProps<T> {
  user: User;
  action: string;
  /** Title of the notice after a failure without a field. */
  failure: string;
  /** Whether an account with a second factor gives a code too. */
  asksCode?: boolean;
  /** The code is absent for an account without a second factor. */
  send: (values: Values) => Promise<T>;
  onDone: (answer: T) => void;
  onCancel?: () => void;
}

/** Asks for the password, and for a code of the active second factor, before a change of the factor. */
export function PasswordAndCode<T>({
  user,
  asksCode = true,
  action,
  failure,
  send,
  onDone,
  onCancel,
}: PasswordAndCodeProps<T>) {
  const needsCode = asksCode && user.hasTotp;
  const form = useForm<Required<Values>>({ defaultValues: { password: '', code: '' } });
  const { errors } = form.formState;
  const submit = useSingleFlightMutation({
    mutationFn: (given: Required<Values>) => {
      const password = given.password || undefined;
      return send(needsCode ? { password, code: given.code } : { password });
    },
    onSuccess: onDone,
    onError: (error) => {
      if (showPasswordRefusal(error, form, 'password')) return;
      if (needsCode && hasCode(error, 'totp_invalid'))
        return form.setError('code', { message: errorText(error) }, { shouldFocus: true });
      notify({ title: failure, description: errorText(error), kind: 'error' });
    },
  });
  return (
    <form
      noValidate
      data-saved={!form.formState.isDirty}
      onSubmit={form.handleSubmit((values) => submit.mutate(values))}
    >
      <Stack gap="3">
        <CurrentPassword form={form} name="password" label={t('totp.password')} autoFocus />
        {needsCode && (
          <CodeField
            withRecovery
            error={errors.code?.message}
            {...form.register('code', { required: t('totp.codeRequired') })}
          />
        )}
        <Flex gap="2">
          <LoadingButton type="submit" colorPalette="jade" loading={submit.isPending}>
            {action}
          </LoadingButton>
          {onCancel && (
            <Button variant="outline" onClick={onCancel}>
              {t('common.cancel')}
            </Button>
          )}
        </Flex>
      </Stack>
    </form>
  );
}
