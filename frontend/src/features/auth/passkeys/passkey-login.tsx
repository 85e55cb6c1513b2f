import type { User } from '@tanya/contract';
import { KeyRound } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { fail } from '../../../components/feedback/fail';
import {
  canUsePasskeys,
  logInWithPasskey,
  PasskeyCancelled,
  preloadPasskeys,
} from '../../../components/sign-in/passkey-client';

interface PasskeyLoginProps {
  /** Read when the button is pressed. */
  rememberMe: () => boolean;
  onDone: (user: User) => void | Promise<void>;
}

/** The button to log in with a passkey, where the browser has them. */
export function PasskeyLogin({ rememberMe, onDone }: PasskeyLoginProps) {
  const login = useSingleFlightMutation({
    mutationFn: () => logInWithPasskey(rememberMe()),
    onSuccess: onDone,
    onError: (error) => {
      if (error instanceof PasskeyCancelled) return;
      fail('auth.loginFailed')(error);
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
