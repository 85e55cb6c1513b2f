import { Button } from '@chakra-ui/react';
import { useNavigate } from '@tanstack/react-router';
import type { KnownPassword } from '@tanya/contract';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { endSession } from '../../../app/session/session-lifecycle';
import { notify } from '../../../components/feedback/notify';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { fail } from '../../../components/feedback/fail';
import { PasswordAndCode } from '../totp/password-and-code';

export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  const focusRef = useFocusRecovery();
  const navigate = useNavigate();
  return (
    <div ref={focusRef}>
      {asking ? (
        <PasswordAndCode
          label={t('account.deleteConfirm')}
          action={t('account.deleteMine')}
          colorPalette="red"
          onFailure={fail('account.deleteFailed')}
          send={(values: KnownPassword) => api.delete('/api/user', values)}
          onDone={async () => {
            // What is unsaved here is gone with the account.
            await navigate({ to: '/', ignoreBlocker: true });
            void endSession();
            notify({ title: t('account.deleted'), description: t('account.deletedHint') });
          }}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Button variant="outline" color="fg.error" onClick={() => setAsking(true)}>
          {t('account.deleteMine')}
        </Button>
      )}
    </div>
  );
}
