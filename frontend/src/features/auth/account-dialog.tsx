import { Box, Button, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { Download } from 'lucide-react';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { endSession } from '../../app/session/session-lifecycle';
import { currentUserQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { Modal } from '../../components/dialogs/modal';
import { notify } from '../../components/feedback/notify';
import { LoadingButton } from '../../components/buttons/loading-button';
import { DeleteAccount } from './delete-account';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { TotpSection } from './totp/totp-section';

/** The user's own account: profile, password, sessions, export, deletion. */
export default function AccountDialog({ onClose }: { onClose: () => void }) {
  const { data: user } = useQuery(currentUserQuery);
  const logoutEverywhere = useSingleFlightMutation({
    mutationFn: () => api.post('/api/user/logout-everywhere'),
    onSuccess: () => {
      onClose();
      void endSession();
      notify({ title: TEXTS.auth.loggedOut, description: 'You have been logged out on all devices.' });
    },
    onError: (error) => notify({ title: TEXTS.auth.logoutFailed, description: errorText(error), kind: 'error' }),
  });
  if (!user) return null;

  return (
    <Modal title="Your account" description={user.fullName ?? user.username} onClose={onClose} size="md">
      <Stack gap="6" separator={<Box borderTopWidth="1px" />}>
        <Section title="Profile" hint="Your name and how to reach you.">
          <ProfileForm user={user} />
        </Section>
        <Section title="Change password" hint="Other devices will be logged out.">
          <PasswordForm username={user.username} />
        </Section>
        <Section
          title="Two-factor login"
          hint="A code from an authenticator app at each login. Other devices will be logged out."
        >
          <TotpSection user={user} />
        </Section>
        <Section title="Sessions" hint="Ends every session of this account, this one included.">
          <LoadingButton
            variant="outline"
            alignSelf="start"
            loading={logoutEverywhere.isPending}
            onClick={() => logoutEverywhere.mutate()}
          >
            Log out everywhere
          </LoadingButton>
        </Section>
        <Section title="Your data" hint="Your account, chats and usage in one file.">
          <Button asChild variant="outline" alignSelf="start">
            <a href="/api/user/export" download>
              <Download aria-hidden /> Export my data
            </a>
          </Button>
        </Section>
        {!user.isAdmin && (
          <Section title="Delete account" hint="Removes your account, chats and files for good.">
            <DeleteAccount onDeleted={onClose} />
          </Section>
        )}
      </Stack>
    </Modal>
  );
}

function Section({ title, hint, children }: { title: string; hint: string; children: React.ReactNode }) {
  return (
    <Stack gap="3">
      <div>
        <Heading as="h3" textStyle="sm" fontWeight="semibold">
          {title}
        </Heading>
        <Text color="fg.muted">{hint}</Text>
      </div>
      {children}
    </Stack>
  );
}
