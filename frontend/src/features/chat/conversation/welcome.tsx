import { Center, Heading } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { settingText } from '../../../app/language/setting-text';
import { settingsQuery } from '../../../app/queries/settings.query';

/** The welcome message of a new conversation without messages. */
export function Welcome() {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Center px="4" pt="6" pb={{ base: '18vh', md: '8' }} minH="16">
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
          {settingText('welcomeMessage', settings)}
        </Heading>
      )}
    </Center>
  );
}
