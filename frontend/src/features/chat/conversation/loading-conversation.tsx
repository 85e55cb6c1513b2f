import { Box, Flex, Skeleton, Stack } from '@chakra-ui/react';
import { t } from '../../../app/i18n/translate';
import { useDelayed } from '../../../components/hooks/use-delayed';

export function LoadingConversation() {
  const isLate = useDelayed();
  if (!isLate) return null;
  return (
    <Box maxW="48rem" mx="auto" px="4" py="6" aria-label={t('conversation.loading')} aria-busy>
      {[0, 1].map((turn) => (
        <Stack key={turn} gap="6" mb="8">
          <Flex justify="flex-end">
            <Skeleton height="11" width="45%" borderRadius="bubble" />
          </Flex>
          <Stack gap="2.5">
            <Skeleton height="4" width="92%" />
            <Skeleton height="4" width="97%" />
            <Skeleton height="4" width="64%" />
          </Stack>
        </Stack>
      ))}
    </Box>
  );
}
