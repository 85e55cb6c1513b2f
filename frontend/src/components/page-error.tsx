import { Button, Center, Heading, Stack, Text } from '@chakra-ui/react';
import { errorText } from '../app/api-error';

interface PageErrorProps {
  error: unknown;
  reset?: () => void;
}

/** Shown instead of a page that broke or could not be loaded. */
export function PageError({ error, reset }: PageErrorProps) {
  return (
    <Center as="main" height="100%" p="6">
      <Stack gap="4" align="center" textAlign="center" maxW="28rem">
        <Heading as="h1" textStyle="xl">
          This page could not be shown
        </Heading>
        <Text color="fg.muted" overflowWrap="anywhere">
          {errorText(error)}
        </Text>
        <Button onClick={reset ?? (() => window.location.reload())}>Try Again</Button>
      </Stack>
    </Center>
  );
}
