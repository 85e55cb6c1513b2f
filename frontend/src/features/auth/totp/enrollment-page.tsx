import { Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { mustEnrollTotp } from '../../../app/session/totp-required';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { useLogout } from '../../../components/buttons/use-logout';
import { Panel } from '../../../components/layout/panel';
import { usePageTitle } from '../../../components/layout/use-page-title';
import { PasswordForm } from '../password-form';
import { RecoveryCodes } from './recovery-codes';
import { TotpSetup } from './totp-setup';

interface EnrollmentPageProps {
  user: User;
  /** Called with null at the end of the enrolment. */
  onChange: (enrollingId: null) => void;
}

/** Replaces the app for an account that must enrol a second factor; the server refuses other calls until then. */
export default function EnrollmentPage({ user, onChange }: EnrollmentPageProps) {
  const [isConfirming, setConfirming] = useState(false);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const { data: settings } = useQuery(settingsQuery);
  usePageTitle(user.mustChangePassword ? t('account.newPassword') : t('totp.title'));
  const finish = useCallback(() => {
    onChange(null);
    // The server has refused what was read until now.
    void queryClient.invalidateQueries();
  }, [onChange]);
  // Another tab has enrolled, or an admin has changed the setting.
  const isOver = recoveryCodes === null && !user.mustChangePassword && !mustEnrollTotp(user, settings);
  useEffect(() => {
    if (isOver) finish();
  }, [isOver, finish]);
  const logout = useLogout();
  const isPasswordDue = user.mustChangePassword === true;

  return (
    <Flex as="main" height="100%" overflowY="auto" p="4">
      <Stack gap="5" width="100%" maxW="32rem" m="auto">
        <Heading as="h1" textStyle="xl" fontWeight="semibold">
          {isPasswordDue ? t('passwordDue.title') : t('totp.setUp')}
        </Heading>
        <Text color="fg.muted">{isPasswordDue ? t('passwordDue.hint') : t('totp.needed')}</Text>
        <Panel title={t('totp.account', { name: user.username })}>
          {isPasswordDue ? (
            <PasswordForm />
          ) : recoveryCodes ? (
            <RecoveryCodes codes={recoveryCodes} username={user.username} onDone={finish} />
          ) : (
            <TotpSetup user={user} onConfirming={setConfirming} onActivated={setRecoveryCodes} />
          )}
        </Panel>
        {recoveryCodes === null && (
          <LoadingButton
            variant="outline"
            alignSelf="start"
            disabled={isConfirming}
            loading={logout.isPending}
            onClick={() => logout.mutate()}
          >
            {t('navigation.logout')}
          </LoadingButton>
        )}
      </Stack>
    </Flex>
  );
}
