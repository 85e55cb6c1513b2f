import { Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { openDialog } from '../../../app/state/dialogs';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery, quotaQuery } from '../../../app/queries/user.query';
import { AdminContact } from '../../../components/buttons/admin-contact';
import { UpgradeButton } from '../../../components/buttons/upgrade-button';

/** Replaces the composer when the quota is used up, with the actions that fit the plan. */
export default function QuotaNotice() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: quota } = useQuery(quotaQuery);
  const resets = quota?.resetsAt ? ` It is renewed on ${formatTime(quota.resetsAt)}.` : '';
  return (
    <Flex
      role="status"
      align="center"
      justify="space-between"
      gap="3"
      wrap="wrap"
      borderWidth="1px"
      borderRadius="bubble"
      bg="bg.panel"
      px="5"
      py="4"
      minH="24"
    >
      <Text flex="1" minW="14rem">
        You have used all of your messages. <NextStep user={user} />
        {resets}
      </Text>
      <Flex gap="2" wrap="wrap">
        {user === null && <SignUpButton />}
        {!user?.isPremium && <UpgradeButton colorPalette="jade" size="sm" />}
      </Flex>
    </Flex>
  );
}

/** Date and time: the quota's day rarely begins at midnight of the reader's time zone. */
function formatTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

function NextStep({ user }: { user: { isPremium: boolean } | null | undefined }) {
  if (!user) return 'Sign up or upgrade to go on.';
  if (!user.isPremium) return 'Upgrade to go on.';
  return (
    <>
      Please contact <AdminContact />.
    </>
  );
}

/** Links to the external sign-up page if one is set; otherwise opens the registration dialog. */
function SignUpButton() {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.guestSignupUrl;
  if (!url) {
    return (
      <Button size="sm" variant="outline" onClick={() => openDialog('register')}>
        {TEXTS.sidebar.register}
      </Button>
    );
  }
  return (
    <Button asChild size="sm" variant="outline">
      <a href={url} target="_blank" rel="noopener noreferrer">
        {TEXTS.sidebar.register}
      </a>
    </Button>
  );
}
