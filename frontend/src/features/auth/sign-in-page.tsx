import { Box, Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { settingText } from '../../app/language/setting-text';
import { settingsQuery } from '../../app/queries/settings.query';
import { closeDialog, useDialogs } from '../../app/state/dialogs';
import { Logo } from '../../components/layout/logo';
import { usePageTitle } from '../../components/layout/use-page-title';
import { AuthPanels } from './auth-panels';
import SuspendedDialog from './suspended-dialog';

/** The pages that a visitor opens from a mail or an invitation, or comes back to from an identity provider. */
const OPEN_PAGES = ['/reset-password', '/register', '/login'];

/** Replaces the app for a visitor while guests are off; the server refuses their other calls. */
export default function SignInPage() {
  const isOpen = useLocation({ select: ({ pathname }) => OPEN_PAGES.includes(pathname) });
  return isOpen ? <Outlet /> : <SignIn />;
}

function SignIn() {
  usePageTitle(t('sidebar.login'));
  const open = useDialogs((dialogs) => dialogs.open);
  const mode = open === 'register' || open === 'forgot-password' ? open : 'login';
  return (
    <>
      <AuthPanels mode={mode} frame={SignInFrame} onDone={closeDialog} />
      {open === 'suspended' && <SuspendedDialog onClose={closeDialog} />}
    </>
  );
}

interface FrameProps {
  title: string;
  description?: string;
  children: ReactNode;
}

function SignInFrame({ title, description, children }: FrameProps) {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Flex as="main" height="100%" overflowY="auto" p="4">
      <Stack gap="6" width="100%" maxW="26rem" m="auto">
        <Flex align="center" justify="center" gap="2" fontWeight="semibold">
          <Logo size="8" />
          <Text truncate>{settingText('siteTitle', settings)}</Text>
        </Flex>
        <Box bg="bg.panel" borderWidth="1px" borderRadius="l3" p={{ base: '4', sm: '6' }}>
          <Heading as="h1" textStyle="lg" fontWeight="semibold">
            {title}
          </Heading>
          {description && <Text color="fg.muted">{description}</Text>}
          <Box mt="4">{children}</Box>
        </Box>
      </Stack>
    </Flex>
  );
}
