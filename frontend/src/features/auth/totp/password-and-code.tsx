import { Button, Flex, Stack } from '@chakra-ui/react';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { errorText, hasCode } from '../../../app/api/api-error';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';
import { CodeField } from './code-field';

/** A person who has just signed in with a passkey or at a provider leaves the password out. */
interface Values {
  password?: string;
  code?: string;
}

interface PasswordAndCodeProps<T> {
  /** Label of the password. */
  label?: string;
  action: string;
  colorPalette?: 'red' | 'jade';
  /** What happens after a failure that belongs to none of the fields. */
  onFailure: (error: unknown) => void;
  /** Whether the account has a second factor, of which a code is asked too. */
  asksCode?: boolean;
  send: (values: Values) => Promise<T>;
  onDone: (answer: T) => unknown;
  onCancel?: () => void;
}

/** Asks for the password, and for a code of an active second factor, before a change of the account. */
export function PasswordAndCode<T>(props: PasswordAndCodeProps<T>) {
  const { label = t('totp.password'), action, colorPalette = 'jade', asksCode, send, onDone, onCancel } = props;
  const form = useForm<Required<Values>>({ defaultValues: { password: '', code: '' } });
  const { errors } = form.formState;
  const submit = useSingleFlightMutation({
    mutationFn: (given: Required<Values>) => {
      const password = given.password || undefined;
      return send(asksCode ? { password, code: given.code } : { password });
    },
    onSuccess: onDone,
    onError: (error) => {
      if (showPasswordRefusal(error, form, 'password')) return;
      if (asksCode && hasCode(error, 'totp_invalid'))
        return form.setError('code', { message: errorText(error) }, { shouldFocus: true });
      props.onFailure(error);
    },
  });
  return (
    <form
      noValidate
      data-saved={!form.formState.isDirty}
      onSubmit={form.handleSubmit((values) => submit.mutate(values))}
    >
      <Stack gap="3">
        <CurrentPassword form={form} name="password" label={label} autoFocus />
        {asksCode && (
          <CodeField
            withRecovery
            error={errors.code?.message}
            {...form.register('code', { required: t('totp.codeRequired') })}
          />
        )}
        <Flex gap="2">
          <LoadingButton type="submit" colorPalette={colorPalette} loading={submit.isPending}>
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
