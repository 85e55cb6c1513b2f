import { Button, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { type FieldPathByValue, type FieldValues, useController, type UseFormReturn } from 'react-hook-form';
import { LIMITS } from '@tanya/contract';
import { errorText, hasCode } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { signInProvidersQuery } from '../../app/queries/sign-in-providers.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { currentUserQuery } from '../../app/queries/user.query';
import { renewSession } from '../../app/session/session-lifecycle';
import { mustEnrollTotp } from '../../app/session/totp-required';
import { LoadingButton } from '../buttons/loading-button';
import { showFailure } from '../feedback/fail';
import { FormField } from '../forms/form-field';
import { PasswordInput } from '../forms/password-input';
import { canUsePasskeys, confirmWithPasskey, PasskeyCancelled, passkeysQuery, preloadPasskeys } from './passkey-client';

const REAUTHENTICATION = 'reauthentication_required';

interface CurrentPasswordProps<T extends FieldValues> {
  form: UseFormReturn<T>;
  name: FieldPathByValue<T, string | undefined>;
  label: ReactNode;
  hint?: ReactNode;
  autoFocus?: boolean;
}

/**
 * The field of a form that asks the person for the password before a change of the account. A passkey, or a new sign-in
 * at a provider, stands for it: the passkey goes on with the form, a provider leaves the page. Blank is no password.
 */
export function CurrentPassword<T extends FieldValues>({
  form,
  name,
  label,
  hint,
  autoFocus,
}: CurrentPasswordProps<T>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const { data: user } = useQuery(currentUserQuery);
  const box = useRef<HTMLDivElement>(null);
  return (
    <Stack ref={box} gap="3" width="100%">
      <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
      <FormField label={label} hint={hint} error={fieldState.error?.message}>
        <PasswordInput
          {...field}
          autoFocus={autoFocus}
          autoComplete="current-password"
          maxLength={LIMITS.password.max}
        />
      </FormField>
      <PasskeyInstead
        onConfirmed={() => {
          field.onChange('');
          box.current?.closest('form')?.requestSubmit();
        }}
      />
      <ProvidersInstead isAsked={fieldState.error?.type === REAUTHENTICATION} />
    </Stack>
  );
}

/** Shows a refusal for want of the password, or for a wrong one, at its field. @returns false for another error */
export function showPasswordRefusal<T extends FieldValues>(
  error: unknown,
  { setError }: UseFormReturn<T>,
  name: FieldPathByValue<T, string | undefined>,
): boolean {
  const isRefusal = hasCode(error, 'invalid_credentials', REAUTHENTICATION);
  const type = hasCode(error, REAUTHENTICATION) ? REAUTHENTICATION : 'wrong';
  if (isRefusal) setError(name, { type, message: errorText(error) }, { shouldFocus: true });
  return isRefusal;
}

/** For people with a passkey, where the browser has them. */
function PasskeyInstead({ onConfirmed }: { onConfirmed: () => void }) {
  const { data: user } = useQuery(currentUserQuery);
  const { data: settings } = useQuery(settingsQuery);
  // The server does not list them before the person has chosen a password or set up a second factor.
  const mayList = user != null && !user.mustChangePassword && !mustEnrollTotp(user, settings);
  const { data: passkeys = [] } = useQuery({ ...passkeysQuery, enabled: mayList && canUsePasskeys() });
  const confirm = useSingleFlightMutation({
    mutationFn: (userId: number) => confirmWithPasskey(userId),
    onSuccess: () => {
      renewSession();
      onConfirmed();
    },
    onError: (error) => {
      if (error instanceof PasskeyCancelled) return;
      showFailure('passkeys.confirmFailed', error);
    },
  });
  if (!user || passkeys.length === 0) return null;
  return (
    <LoadingButton
      variant="outline"
      alignSelf="start"
      loading={confirm.isPending}
      onPointerEnter={preloadPasskeys}
      onFocus={preloadPasskeys}
      onClick={() => confirm.mutate(user.id)}
    >
      <KeyRound aria-hidden /> {t('passkeys.confirm')}
    </LoadingButton>
  );
}

/** For people without a password, once the server asks for one. */
function ProvidersInstead({ isAsked }: { isAsked: boolean }) {
  const { data: providers = [] } = useQuery({ ...signInProvidersQuery, enabled: isAsked });
  if (!isAsked || providers.length === 0) return null;
  const query = new URLSearchParams({ reauth: 'true', returnTo: window.location.pathname });
  return (
    <>
      {providers.map(({ id, label }) => (
        <Button key={id} asChild variant="outline" alignSelf="start" whiteSpace="normal" height="auto" minH="10" py="2">
          <a href={`/api/auth/oidc/${id}/start?${query.toString()}`}>{t('signIn.signInAgain', { label })}</a>
        </Button>
      ))}
    </>
  );
}
