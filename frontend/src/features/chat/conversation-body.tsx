import { Box, Button, Center, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TEXTS } from '@tanya/contract';
import { beginConversation } from '../../app/conversation';
import { openDialog } from '../../app/dialogs';
import { settingsQuery } from '../../app/queries/settings.query';
import { useDelayed } from '../../components/use-delayed';

/** Before the first message of a new conversation. */
export function Welcome() {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Center height="100%" alignItems="flex-end" px="4" pt="6" pb={{ base: '6', md: '8' }} minH="16">
      {settings && (
        <Heading
          as="h1"
          dir="auto"
          textStyle={{ base: 'xl', md: '2xl' }}
          fontWeight="semibold"
          textAlign="center"
          textWrap="balance"
          maxW="40rem"
        >
          {settings.welcomeMessage}
        </Heading>
      )}
    </Center>
  );
}

export function EmptyThread() {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Center height="100%" px="4" color="fg.muted" textAlign="center">
      <Text>{settings?.emptyThreadMessage ?? TEXTS.defaults.emptyThreadMessage}</Text>
    </Center>
  );
}

export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Center height="100%" px="4">
      <Stack role="alert" align="center" gap="2" textAlign="center">
        <Heading as="h1" textStyle="lg">
          {TEXTS.chat.loadError}
        </Heading>
        <Text color="fg.muted">{TEXTS.chat.loadErrorHint}</Text>
        <Flex gap="2" mt="3" wrap="wrap" justify="center">
          <Button variant="outline" onClick={onRetry}>
            {TEXTS.settings.tryAgain}
          </Button>
          <Button asChild colorPalette="jade">
            <Link to="/" onClick={beginConversation}>
              {TEXTS.chat.startNewChat}
            </Link>
          </Button>
        </Flex>
      </Stack>
    </Center>
  );
}

/** The session ended on a member's thread. */
export function LoggedOut() {
  return (
    <Center height="100%" px="4">
      <Stack align="center" gap="2" textAlign="center">
        <Heading as="h1" textStyle="lg">
          You are logged out
        </Heading>
        <Text color="fg.muted">Log in to go on with this conversation. What you were writing is kept.</Text>
        <Button mt="3" colorPalette="jade" onClick={() => openDialog('login')}>
          {TEXTS.sidebar.login}
        </Button>
      </Stack>
    </Center>
  );
}

/** The shape of a conversation while it is read. */
export function LoadingConversation() {
  const isLate = useDelayed();
  if (!isLate) return null;
  return (
    <Box maxW="48rem" mx="auto" px="4" py="6" aria-label="Loading conversation" aria-busy>
      {[0, 1].map((turn) => (
        <Stack key={turn} gap="6" mb="8">
          <Flex justify="flex-end">
            <Skeleton height="11" width="45%" borderRadius="bubble" />
          </Flex>
          <Stack gap="2.5" ms="11">
            <Skeleton height="4" width="92%" />
            <Skeleton height="4" width="97%" />
            <Skeleton height="4" width="64%" />
          </Stack>
        </Stack>
      ))}
    </Box>
  );
}
