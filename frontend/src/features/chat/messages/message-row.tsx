import { Box, Center, chakra, Flex } from '@chakra-ui/react';
import { TEXTS } from '@tanya/contract';
import type { ReactNode } from 'react';

interface MessageRowProps {
  from: 'ai' | 'user';
  children: ReactNode;
  /** The actions below the message. */
  footer?: ReactNode;
}

function Avatar({ from }: { from: 'ai' | 'user' }) {
  const isAi = from === 'ai';
  return (
    <Center
      aria-hidden
      boxSize="8"
      flexShrink={0}
      borderRadius="full"
      textStyle="2xs"
      fontWeight="semibold"
      letterSpacing="0.02em"
      bg={isAi ? 'jade.subtle' : 'bg.emphasized'}
      color={isAi ? 'jade.fg' : 'fg.muted'}
    >
      {isAi ? TEXTS.chat.aiAvatar : TEXTS.chat.userAvatar}
    </Center>
  );
}

/** One row of the conversation: the AI's at the left in full width, the user's at the right in a bubble. */
export function MessageRow({ from, children, footer }: MessageRowProps) {
  const isAi = from === 'ai';
  return (
    <chakra.article
      className="group"
      aria-label={isAi ? 'AI message' : 'Your message'}
      data-from={from}
      maxW="48rem"
      mx="auto"
      px={{ base: '3', sm: '4' }}
      py="3"
    >
      <Flex gap="3" direction={isAi ? 'row' : 'row-reverse'} align="flex-start">
        <Avatar from={from} />
        <Flex direction="column" gap="1" minW="0" flex="1" align={isAi ? 'stretch' : 'flex-end'} pt={isAi ? '1' : '0'}>
          {children}
          {footer && <Box minH={{ base: '10', md: '8' }}>{footer}</Box>}
        </Flex>
      </Flex>
    </chakra.article>
  );
}
