import { Box, Button, Flex, Stack, Text } from '@chakra-ui/react';
import type { PublicSettings } from '@tanya/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { shownLanguage } from '../../app/i18n/load-texts';
import { noteLoginElsewhere } from '../../app/language/keep-choice';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { openDialog } from '../../app/state/dialogs';
import { ContactText } from '../../components/buttons/admin-contact';
import { TextButton } from '../../components/buttons/text-button';
import { ForgotPassword } from './forgot-password';
import { LoginForm } from './login-form';
import { RegisterPanel } from './register-panel';
import { signInProvidersQuery } from '../../app/queries/sign-in-providers.query';

interface AuthPanelsProps {
  mode: 'login' | 'register' | 'forgot-password';
  onDone: () => void;
  /** Where a provider returns to; by default to the present page. */
  returnTo?: string;
  /** Shows the panel with its title: a dialog, or a page of its own. */
  frame: ComponentType<{ title: string; description?: string; isQuick?: boolean; children: ReactNode }>;
}

/** Login, registration or a forgotten password. After a login the page returns to the one that a guard had redirected from. */
export function AuthPanels({ mode, onDone, returnTo: given, frame: Frame }: AuthPanelsProps) {
  const navigate = useNavigate();
  const returnTo = useLocation({ select: ({ state }) => state.returnTo });
  const finish = () => {
    onDone();
    const user = queryClient.getQueryData(currentUserQuery.queryKey);
    const isAllowed = user?.isAdmin || !returnTo?.startsWith('/admin');
    if (returnTo && isAllowed) void navigate({ href: returnTo, replace: true });
  };
  const { data: settings } = useQuery(settingsQuery);
  if (mode === 'forgot-password')
    return (
      <Frame key="forgot" title={t('login.forgotTitle')} isQuick>
        <ForgotPassword />
        <Text mt="4" color="fg.muted" textAlign="center">
          <TextButton onClick={() => openDialog('login')}>{t('login.back')}</TextButton>
        </Text>
      </Frame>
    );
  return mode === 'login' ? (
    <Frame key="login" title={t('auth.loginTitle')} description={t('auth.loginSubtitle')} isQuick>
      <LoginForm onDone={finish} />
      <ProviderButtons returnTo={given} />
      <LoginHelp />
      <Text mt="4" color="fg.muted" textAlign="center">
        {t('login.noAccount')} <TextButton onClick={() => openDialog('register')}>{t('login.register')}</TextButton>
      </Text>
    </Frame>
  ) : (
    <Frame key="register" title={t('auth.registerTitle')} description={registerSubtitle(settings)}>
      <RegisterPanel onDone={finish} />
      <Text mt="4" color="fg.muted" textAlign="center">
        {t('login.hasAccount')} <TextButton onClick={() => openDialog('login')}>{t('login.login')}</TextButton>
      </Text>
    </Frame>
  );
}

/** What an account gives. The default catalogue has the sentence of the product's specification. */
function registerSubtitle(settings: PublicSettings | undefined): string {
  if (settings === undefined || shownLanguage() === 'spec') return t('auth.registerSubtitle');
  const { freeUserMessageQuota: messages, quotaPeriod: period } = settings;
  return t('login.offer', { messages, period });
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

/** The providers that one can sign in with, below the login. @param returnTo where the page goes on; by default where it is */
function ProviderButtons({ returnTo }: { returnTo?: string }) {
  const here = useLocation({ select: ({ href, state }) => state.returnTo ?? href });
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  if (providers.length === 0) return null;
  const query = new URLSearchParams({ returnTo: returnTo ?? here });
  return (
    <Stack gap="3" mt="4">
      <Flex align="center" gap="3">
        <Box flex="1" borderTopWidth="1px" />
        <Text color="fg.muted">{t('signIn.or')}</Text>
        <Box flex="1" borderTopWidth="1px" />
      </Flex>
      {providers.map(({ id, label }) => (
        <Button key={id} asChild variant="outline" whiteSpace="normal" height="auto" minH="10" py="2">
          <a href={`/api/auth/oidc/${id}/start?${query.toString()}`} onClick={noteLoginElsewhere}>
            {t('signIn.continueWith', { label })}
          </a>
        </Button>
      ))}
    </Stack>
  );
}
