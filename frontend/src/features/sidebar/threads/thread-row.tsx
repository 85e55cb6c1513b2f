import { Box, chakra, Flex, IconButton } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import type { Thread } from '@tanya/contract';
import { Ellipsis, Pin } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { t } from '../../../app/i18n/translate';

interface ThreadRowProps {
  thread: Thread;
  active: boolean;
  streaming: boolean;
  unread: boolean;
  menuOpen: boolean;
  /** null while nothing can be selected. */
  selected: boolean | null;
  onSelect: (thread: Thread, isRange: boolean) => void;
  onMenu: (thread: Thread, button: HTMLButtonElement) => void;
  onNavigate: () => void;
}

export const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const { thread, active, streaming, unread, menuOpen, selected, onSelect, onMenu, onNavigate } = props;
  return (
    <Flex
      align="center"
      height="var(--row)"
      borderRadius="l2"
      bg={active ? 'bg.emphasized' : undefined}
      _hover={{ bg: active ? 'bg.emphasized' : 'bg.muted' }}
      css={{
        // The title has the whole row until the button is shown.
        '@media (hover: hover)': {
          '&:not(:hover, :focus-within) .thread-menu': menuOpen ? {} : { opacity: 0, marginInlineStart: '-2rem' },
        },
      }}
    >
      <Flex
        asChild
        flex="1"
        minW="0"
        align="center"
        gap="2"
        px="2.5"
        height="100%"
        borderRadius="l2"
        focusVisibleRing="inside"
      >
        {selected === null ? (
          <Link
            to="/chat/$id"
            params={{ id: thread.id }}
            onClick={onNavigate}
            title={thread.title}
            aria-current={active ? 'page' : undefined}
          >
            <Title thread={thread} unread={unread} />
            <ThreadMark waiting={thread.waiting} streaming={streaming} unread={unread} active={active} />
          </Link>
        ) : (
          <label>
            <SelectBox thread={thread} selected={selected} onSelect={onSelect} />
            <Title thread={thread} unread={unread} />
          </label>
        )}
      </Flex>
      {selected === null && (
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
      )}
    </Flex>
  );
});

function Title({ thread, unread }: Pick<ThreadRowProps, 'thread' | 'unread'>) {
  return (
    <>
      <Box as="span" dir="auto" flex="1" truncate fontWeight={unread ? 'semibold' : 'normal'}>
        {thread.title}
      </Box>
      {thread.isPinned && (
        <Box asChild color="fg.muted" flexShrink={0}>
          <Pin size={12} aria-hidden />
        </Box>
      )}
    </>
  );
}

/** Selects a thread; with Shift all threads from the last selected one to this one. */
function SelectBox({
  thread,
  selected,
  onSelect,
}: Pick<ThreadRowProps, 'thread' | 'onSelect'> & { selected: boolean }) {
  return (
    <chakra.input
      type="checkbox"
      boxSize="4"
      flexShrink={0}
      accentColor="jade.solid"
      aria-label={t('order.selectNamed', { title: thread.title })}
      checked={selected}
      // React reports a press of Space as a click too. `onChange` does not have the Shift key.
      onClick={(event: MouseEvent) => onSelect(thread, event.shiftKey)}
      readOnly
    />
  );
}

type ThreadMarkProps = Pick<ThreadRowProps, 'streaming' | 'unread' | 'active'> & Pick<Thread, 'waiting'>;

/** An answer that waits for approval, that runs, or that was not read; the first of them counts. */
function ThreadMark({ waiting, streaming, unread, active }: ThreadMarkProps) {
  if (!waiting && !streaming && !unread) return null;
  return (
    <Box
      as="span"
      role="img"
      aria-label={t(waiting ? 'threadList.waiting' : streaming ? 'threadList.writing' : 'threadList.unread')}
      boxSize="2"
      flexShrink={0}
      borderRadius="full"
      bg={waiting ? 'fg.warning' : 'jade.solid'}
      // No pulse for the open thread: its answer is visible, and the animation costs a tenth of each frame.
      animation={streaming && !waiting && !active ? 'pulse' : undefined}
    />
  );
}
