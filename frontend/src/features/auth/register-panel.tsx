import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { ContactText } from '../../components/buttons/admin-contact';
import { FocusedText } from './focused-text';
import { RegisterForm } from './register-form';

interface RegisterPanelProps {
  /** The token of an invitation, which registers also while registration is closed. */
  invitation?: string;
  onDone: () => void;
}

/** The registration form, or the reason why there is no form: registration is closed, or the account is pending. */
export function RegisterPanel({ invitation, onDone }: RegisterPanelProps) {
  const { data: settings } = useQuery(settingsQuery);
  const [waitsFor, setWaiting] = useState<'mail' | 'admin' | null>(null);
  if (waitsFor !== null) {
    return (
      <FocusedText>
        {waitsFor === 'mail' ? t('login.mailedLink') : <ContactText text={t('login.pending')} />}
      </FocusedText>
    );
  }
  if ((invitation === undefined && settings?.registrationMode === 'closed') || settings?.passwordLogin === 'admins')
    return (
      <FocusedText>
        <ContactText text={t('login.closed')} />
      </FocusedText>
    );
  return (
    <>
      {invitation === undefined &&
        settings?.registrationMode === 'approval' &&
        !settings.allowedEmailDomains?.length && (
          <Text mb="4" color="fg.muted">
            {t('login.approval')}
          </Text>
        )}
      <RegisterForm
        invitation={invitation}
        onDone={onDone}
        onPending={(isMailed) => setWaiting(isMailed ? 'mail' : 'admin')}
      />
    </>
  );
}
