import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useAwaitedFocus } from '../../app/browser/focus-main';
import { usePageTitle } from './use-page-title';

interface PageShellProps {
  title: string;
  sentence: string;
  action?: ReactNode;
  children: ReactNode;
}

export function PageShell({ title, sentence, action, children }: PageShellProps) {
  usePageTitle(title);
  useAwaitedFocus();
  return (
    // The focused field stays above the bar that some pages have at their bottom.
    <Box
      as="main"
      height="100%"
      overflowY="auto"
      scrollPaddingBottom="24"
      px={{ base: '4', md: '8' }}
      py={{ base: '5', md: '8' }}
    >
      <Box maxW="72rem" mx="auto">
        <Flex mb="6" gap="4" align="start" justify="space-between" wrap="wrap">
          <Box flex="1" minW="min(100%, 18rem)">
            <Heading as="h1" textStyle="xl" fontWeight="semibold">
              {title}
            </Heading>
            <Text color="fg.muted" mt="1">
              {sentence}
            </Text>
          </Box>
          {action}
        </Flex>
        <Flex direction="column" gap="6">
          {children}
        </Flex>
      </Box>
    </Box>
  );
}
