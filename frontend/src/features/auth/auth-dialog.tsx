import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { openDialog } from '../../app/state/dialogs';
import { ContactText } from '../../components/buttons/admin-contact';
import { Modal } from '../../components/dialogs/modal';
import { TextButton } from '../../components/buttons/text-button';
import { ForgotPassword } from './forgot-password';
import { LoginForm } from './login-form';
import { RegisterPanel } from './register-panel';

interface AuthDialogProps {
  mode: 'login' | 'register' | 'forgot-password';
  onClose: () => void;
}

/** Login, registration or a forgotten password. After a login the page returns to the one that a guard had redirected from. */
export default function AuthDialog({ mode, onClose }: AuthDialogProps) {
  const navigate = useNavigate();
  const returnTo = useLocation({ select: ({ state }) => state.returnTo });
  const finish = () => {
    onClose();
    const user = queryClient.getQueryData(currentUserQuery.queryKey);
    const isAllowed = user?.isAdmin || !returnTo?.startsWith('/admin');
    if (returnTo && isAllowed) void navigate({ href: returnTo, replace: true });
  };
  if (mode === 'forgot-password')
    return (
      <Modal key="forgot" title={t('login.forgotTitle')} onClose={onClose}>
        <ForgotPassword />
        <Text mt="4" color="fg.muted" textAlign="center">
          {t('login.remembered')} <TextButton onClick={() => openDialog('login')}>{t('login.login')}</TextButton>
        </Text>
      </Modal>
    );
  return mode === 'login' ? (
    <Modal key="login" title={t('auth.loginTitle')} description={t('auth.loginSubtitle')} onClose={onClose}>
      <LoginForm onDone={finish} />
      <LoginHelp />
      <Text mt="4" color="fg.muted" textAlign="center">
        {t('login.noAccount')} <TextButton onClick={() => openDialog('register')}>{t('login.register')}</TextButton>
      </Text>
    </Modal>
  ) : (
    <Modal key="register" title={t('auth.registerTitle')} description={t('auth.registerSubtitle')} onClose={onClose}>
      <RegisterPanel onDone={finish} />
      <Text mt="4" color="fg.muted" textAlign="center">
        {t('login.hasAccount')} <TextButton onClick={() => openDialog('login')}>{t('login.login')}</TextButton>
      </Text>
    </Modal>
  );
}

/** Shown where the settings have a contact address. */
function LoginHelp() {
  const { data: settings } = useQuery(settingsQuery);
  if (!settings?.links.contactUrl) return null;
  return (
    <Text mt="4" color="fg.muted" textAlign="center">
      <ContactText text={t('login.help')} />
    </Text>
  );
}
