import { Box, Flex, IconButton } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import type { Thread } from '@tanya/contract';
import { Ellipsis } from 'lucide-react';
import { memo } from 'react';
import { t } from '../../../app/i18n/translate';

interface ThreadRowProps {
  thread: Thread;
  active: boolean;
  streaming: boolean;
  unread: boolean;
  menuOpen: boolean;
  onMenu: (thread: Thread, button: HTMLButtonElement) => void;
  onNavigate: () => void;
}

export const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const { thread, active, streaming, unread, menuOpen, onMenu, onNavigate } = props;
  return (
    <Flex
      as="li"
      align="center"
      borderRadius="l2"
      bg={active ? 'bg.emphasized' : undefined}
      _hover={{ bg: active ? 'bg.emphasized' : 'bg.muted' }}
      // Rows outside the viewport need no layout, so that long lists scroll fast.
      css={{
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 36px',
        '& .thread-menu': { opacity: menuOpen ? 1 : 0 },
        '&:hover .thread-menu, &:focus-within .thread-menu': { opacity: 1 },
        '@media (hover: none)': { '& .thread-menu': { opacity: 1 } },
      }}
    >
      <Flex
        asChild
        flex="1"
        minW="0"
        align="center"
        gap="2"
        px="2.5"
        minH="9"
        borderRadius="l2"
        focusVisibleRing="inside"
      >
        <Link
          to="/chat/$id"
          params={{ id: thread.id }}
          onClick={onNavigate}
          title={thread.title}
          aria-current={active ? 'page' : undefined}
        >
          <Box as="span" dir="auto" flex="1" truncate fontWeight={unread ? 'semibold' : 'normal'}>
            {thread.title}
          </Box>
          <ThreadMark streaming={streaming} unread={unread} active={active} />
        </Link>
      </Flex>
      <IconButton
        className="thread-menu"
        variant="ghost"
        size="xs"
        me="0.5"
        aria-label={t('threadList.options', { title: thread.title })}
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        onClick={(event) => onMenu(thread, event.currentTarget)}
      >
        <Ellipsis />
      </IconButton>
    </Flex>
  );
});

function ThreadMark({ streaming, unread, active }: Pick<ThreadRowProps, 'streaming' | 'unread' | 'active'>) {
  if (!streaming && !unread) return null;
  return (
    <Box
      as="span"
      role="img"
      aria-label={streaming ? t('threadList.writing') : t('threadList.unread')}
      boxSize="2"
      flexShrink={0}
      borderRadius="full"
      bg="jade.solid"
      // No pulse for the open thread: its answer is visible, and the animation costs a tenth of each frame.
      animation={streaming && !active ? 'pulse' : undefined}
    />
  );
}
