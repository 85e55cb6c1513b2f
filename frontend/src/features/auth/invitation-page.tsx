import { Box, Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { t } from '../../app/i18n/translate';
import { currentUserQuery } from '../../app/queries/user.query';
import { usePageTitle } from '../../components/layout/use-page-title';
import { RegisterPanel } from './register-panel';

/** The registration by an invitation link, or without one. A member is led home. */
export function InvitationPage({ token }: { token: string | undefined }) {
  usePageTitle(t('auth.registerTitle'));
  const navigate = useNavigate();
  const { data: user } = useQuery(currentUserQuery);
  if (user) return <Navigate to="/" replace />;
  return (
    <Flex as="main" height="100%" overflowY="auto" p="4">
      <Stack gap="4" width="100%" maxW="26rem" m="auto">
        <Box>
          <Heading as="h1" textStyle="xl" fontWeight="semibold">
            {t('auth.registerTitle')}
          </Heading>
          {token !== undefined && <Text color="fg.muted">{t('login.invited')}</Text>}
        </Box>
        <RegisterPanel invitation={token} onDone={() => void navigate({ to: '/', replace: true })} />
      </Stack>
    </Flex>
  );
}
