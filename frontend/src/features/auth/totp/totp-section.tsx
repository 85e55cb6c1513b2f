import { Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { DisableTotpRequest, User } from '@tanya/contract';
import { useState } from 'react';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { isTotpRequired } from './totp-required';
import { currentUserQuery } from '../../../app/queries/user.query';
import { notify } from '../../../components/feedback/notify';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';

import { PasswordAndCode } from './password-and-code';
import { RecoveryCodes } from './recovery-codes';
import { TotpSetup } from './totp-setup';

type Step = 'idle' | 'set-up' | 'turn-off' | { recoveryCodes: string[] };

/** Two-factor login in the account dialog: set up, set up again, turn off. */
export function TotpSection({ user }: { user: User }) {
  const [step, setStep] = useState<Step>('idle');
  const { data: settings } = useQuery(settingsQuery);
  const focusRef = useFocusRecovery();
  const end = () => {
    void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    setStep('idle');
  };
  return (
    <div ref={focusRef}>
      {step === 'set-up' && (
        <TotpSetup user={user} onCancel={end} onActivated={(recoveryCodes) => setStep({ recoveryCodes })} />
      )}
      {step === 'turn-off' && (
        <PasswordAndCode
          user={user}
          action="Turn off"
          failure="Two-factor login was not turned off"
          send={(values) => api.post('/api/user/totp/disable', values satisfies Partial<DisableTotpRequest>)}
          onDone={() => {
            end();
            notify({ title: 'Two-factor login is off' });
          }}
          onCancel={end}
        />
      )}
      {typeof step === 'object' && <RecoveryCodes codes={step.recoveryCodes} username={user.username} onDone={end} />}
      {step === 'idle' && (
        <Flex gap="2" align="center" wrap="wrap">
          <Button variant="outline" onClick={() => setStep('set-up')}>
            {user.hasTotp ? 'Set up again' : 'Set up two-factor login'}
          </Button>
          {user.hasTotp && !isTotpRequired(user, settings) && (
            <Button variant="outline" color="fg.error" onClick={() => setStep('turn-off')}>
              Turn off
            </Button>
          )}
          {user.hasTotp && <Text color="fg.muted">On</Text>}
        </Flex>
      )}
    </div>
  );
}
