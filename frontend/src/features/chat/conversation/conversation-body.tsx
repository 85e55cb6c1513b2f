import { Box, Center, Flex, Heading, Skeleton, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../../app/queries/settings.query';
import { useDelayed } from '../../../components/hooks/use-delayed';

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
