import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';

interface LoadErrorProps {
  message: string;
  onRetry: () => unknown;
}

/** Replaces data that could not be loaded. */
export function LoadError({ message, onRetry }: LoadErrorProps) {
  return (
    <Flex role="alert" direction="column" align="center" gap="3" py="8">
      <Text color="fg.error" textAlign="center">
        {message}
      </Text>
      <Button size="sm" variant="outline" onClick={() => void onRetry()}>
        {t('settings.tryAgain')}
      </Button>
    </Flex>
  );
}
