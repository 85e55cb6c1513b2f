import { Button, Center, Heading, Stack, Text } from '@chakra-ui/react';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../../app/i18n/translate';
import { errorText } from '../../app/api/api-error';
import { reloadIfPossible } from '../../app/browser/reload-once';
import { onConnected } from '../../app/socket/socket';

interface PageErrorProps {
  error: unknown;
  /** Called by the button; by default the page reloads. */
  retry?: () => void;
}

/** Replaces a page that failed to render or load. A new connection retries it. */
export function PageError({ error, retry }: PageErrorProps) {
  const router = useRouter();
  useEffect(() => onConnected(() => void router.invalidate()), [router]);
  return (
    <Center as="main" height="100%" p="6">
      <Stack gap="4" align="center" textAlign="center" maxW="28rem">
        <Heading as="h1" textStyle="xl">
          {t('page.failed')}
        </Heading>
        <Text color="fg.muted" overflowWrap="anywhere">
          {errorText(error)}
        </Text>
        <Button colorPalette="jade" onClick={retry ?? (() => void reloadIfPossible())}>
          {t('settings.tryAgain')}
        </Button>
      </Stack>
    </Center>
  );
}
