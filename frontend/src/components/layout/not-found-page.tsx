import { Button, Center, Heading, Stack, Text } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import { TEXTS } from '@tanya/contract';
import { usePageTitle } from './use-page-title';

export function NotFoundPage() {
  usePageTitle(TEXTS.notFound);
  return (
    <Center as="main" height="100%" p="6">
      <Stack gap="4" align="center" textAlign="center">
        <Heading as="h1" textStyle="2xl">
          {TEXTS.notFound}
        </Heading>
        <Text color="fg.muted">There is nothing at this address. It may have moved, or the link is incomplete.</Text>
        <Button asChild colorPalette="jade">
          <Link to="/">{TEXTS.sidebar.home}</Link>
        </Button>
      </Stack>
    </Center>
  );
}
