import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { useId, type ReactNode } from 'react';

interface PanelProps {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, hint, action, children }: PanelProps) {
  const headingId = useId();
  return (
    <Box as="section" aria-labelledby={headingId} bg="bg.panel" borderWidth="1px" borderRadius="l3" minW="0">
      <Flex px={{ base: '4', md: '5' }} pt="4" pb="3" gap="3" align="center" justify="space-between" wrap="wrap">
        <Box minW="0">
          <Heading as="h2" id={headingId} textStyle="md" fontWeight="semibold">
            {title}
          </Heading>
          {hint && <Text color="fg.muted">{hint}</Text>}
        </Box>
        {action}
      </Flex>
      <Box px={{ base: '4', md: '5' }} pb="5">
        {children}
      </Box>
    </Box>
  );
}
