import { Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { DisableTotpRequest, User } from '@tanya/contract';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { settingsQuery } from '../../../app/queries/settings.query';
import { isTotpRequired } from '../../../app/session/totp-required';
import { currentUserQuery } from '../../../app/queries/user.query';
import { notify } from '../../../components/feedback/notify';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { fail } from '../../../components/feedback/fail';
import { PasswordAndCode } from './password-and-code';
import { RecoveryCodes } from './recovery-codes';
import { TotpSetup } from './totp-setup';

type Step = 'idle' | 'set-up' | 'turn-off' | { recoveryCodes: string[] };

/** Two-factor login on the account page: set up, set up again, turn off. */
export function TotpSection({ user }: { user: User }) {
  const [step, setStep] = useState<Step>('idle');
  const { data: settings } = useQuery(settingsQuery);
  const focusRef = useFocusRecovery();
  const end = () => {
    refreshUser();
    setStep('idle');
  };
  return (
    <div ref={focusRef}>
      {step === 'set-up' && (
        <TotpSetup
          user={user}
          onCancel={end}
          onActivated={(recoveryCodes) => {
            refreshUser();
            // The other sessions have ended.
            void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions });
            setStep({ recoveryCodes });
          }}
        />
      )}
      {step === 'turn-off' && (
        <PasswordAndCode
          asksCode={user.hasTotp}
          action={t('totp.turnOff')}
          onFailure={fail('totp.turnOffFailed')}
          send={(values) => api.post('/api/user/totp/disable', values satisfies Partial<DisableTotpRequest>)}
          onDone={() => {
            end();
            notify({ title: t('totp.off') });
          }}
          onCancel={end}
        />
      )}
      {typeof step === 'object' && (
        <RecoveryCodes codes={step.recoveryCodes} username={user.username} onDone={() => setStep('idle')} />
      )}
      {step === 'idle' && (
        <Flex gap="2" align="center" wrap="wrap">
          <Button variant="outline" onClick={() => setStep('set-up')}>
            {user.hasTotp ? t('totp.setUpAgain') : t('totp.setUp')}
          </Button>
          {user.hasTotp && !isTotpRequired(user, settings) && (
            <Button variant="outline" color="fg.error" onClick={() => setStep('turn-off')}>
              {t('totp.turnOff')}
            </Button>
          )}
          {user.hasTotp && <Text color="fg.muted">{t('totp.on')}</Text>}
        </Flex>
      )}
    </div>
  );
}

function refreshUser(): void {
  void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
}
