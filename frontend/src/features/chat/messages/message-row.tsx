import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { t } from '../../../app/i18n/translate';

interface MessageRowProps {
  from: 'ai' | 'user';
  children: ReactNode;
  /** Name of the row for screen readers; by default that of the reader's own conversation. */
  label?: string;
  /** Content of the avatar; by default that of the reader's own conversation. */
  avatar?: ReactNode;
  /** The actions below the message. On devices without hover their row is there without them too, so that nothing moves. */
  footer?: ReactNode;
}

/** A small mark of who wrote the message, above it. */
function Avatar({ from, children }: Pick<MessageRowProps, 'from'> & { children: ReactNode }) {
  const isAi = from === 'ai';
  return (
    <chakra.span
      aria-hidden
      className="avatar"
      display="inline-flex"
      alignItems="center"
      textStyle="2xs"
      fontWeight="semibold"
      letterSpacing="0.02em"
      color={isAi ? 'jade.fg' : 'fg.muted'}
    >
      {children ?? (isAi ? t('chat.aiAvatar') : t('chat.userAvatar'))}
    </chakra.span>
  );
}

/** One row of the conversation: the AI's at the left in full width, the user's at the right in a bubble. */
export function MessageRow({ from, label, avatar, children, footer }: MessageRowProps) {
  const isAi = from === 'ai';
  const align = isAi ? 'stretch' : 'flex-end';
  return (
    <chakra.article
      // Its spaces, and the places of mark and actions: base.css.
      className="group message"
      aria-label={label ?? (isAi ? t('conversation.aiMessage') : t('conversation.ownMessage'))}
      data-from={from}
      maxW="48rem"
      mx="auto"
      px={{ base: '3', sm: '4' }}
    >
      <Avatar from={from}>{avatar}</Avatar>
      <Flex className="message-body" direction="column" gap="1" minW="0" align={align}>
        {children}
      </Flex>
      <Flex className="message-footer" direction="column" align={align}>
        {footer}
      </Flex>
    </chakra.article>
  );
}
