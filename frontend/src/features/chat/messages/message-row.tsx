import { Center, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { t } from '../../../app/i18n/translate';

interface MessageRowProps {
  from: 'ai' | 'user';
  children: ReactNode;
  /** Name of the row for screen readers; by default that of the reader's own conversation. */
  label?: string;
  /** Content of the avatar; by default that of the reader's own conversation. */
  avatar?: ReactNode;
  /** The actions below the message. Their row is also the space to the next message, so it is there without them. */
  footer?: ReactNode;
}

function Avatar({ from, children }: Pick<MessageRowProps, 'from'> & { children: ReactNode }) {
  const isAi = from === 'ai';
  return (
    <Center
      aria-hidden
      className="avatar"
      boxSize={{ base: '6', sm: '8' }}
      flexShrink={0}
      borderRadius="full"
      textStyle="2xs"
      fontWeight="semibold"
      letterSpacing="0.02em"
      bg={isAi ? 'jade.subtle' : 'bg.emphasized'}
      color={isAi ? 'jade.fg' : 'fg.muted'}
    >
      {children ?? (isAi ? t('chat.aiAvatar') : t('chat.userAvatar'))}
    </Center>
  );
}

/** One row of the conversation: the AI's at the left in full width, the user's at the right in a bubble. */
export function MessageRow({ from, label, avatar, children, footer }: MessageRowProps) {
  const isAi = from === 'ai';
  const align = isAi ? 'stretch' : 'flex-end';
  return (
    <chakra.article
      // Its grid: base.css.
      className="group message"
      aria-label={label ?? (isAi ? t('conversation.aiMessage') : t('conversation.ownMessage'))}
      data-from={from}
      maxW="48rem"
      mx="auto"
      px={{ base: '3', sm: '4' }}
      pb="1"
    >
      <Avatar from={from}>{avatar}</Avatar>
      <Flex className="message-body" direction="column" gap="1" minW="0" align={align} pt={{ sm: isAi ? '1' : '0' }}>
        {children}
      </Flex>
      <Flex className="message-footer" direction="column" align={align} minH={{ base: '10', md: '8' }}>
        {footer}
      </Flex>
    </chakra.article>
  );
}
