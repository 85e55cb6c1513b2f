import { Box, Center, IconButton, Spinner } from '@chakra-ui/react';
import { ArrowDown } from 'lucide-react';
import { type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { type CustomContainerComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua';
import { mirrorGuestMessages } from '../../../app/session/guest-message-count';
import { AiMessage } from './ai-message';
import type { ConversationItem } from './conversation-view';
import { useFoundMessage } from './found-message';
import { SentMessage, ThinkingMessage } from './pending-message';
import { useFollowBottom } from './use-follow-bottom';
import type { LoadedMessages } from './use-messages';
import { UserMessage } from './user-message';

// Here and not at the start: nothing is counted before there is a message to show, and nobody waits for the other.
mirrorGuestMessages();

/** Older messages are fetched when the reader comes this near to the first loaded one. */
const LOAD_OLDER_PX = 600;

/** A thread of no more messages is in the page as a whole: the browser's own search then finds every word of it. */
const WHOLE_THREAD = 60;

/** A message that was found stands out for this long. */
const MARKED_MS = 2_500;
const FOUND = { bg: 'jade.subtle', 'data-found': '' } as const;

interface MessageListProps {
  items: ConversationItem[];
  loaded: Pick<LoadedMessages, 'hasOlder' | 'isLoadingOlder' | 'loadOlder'>;
}

/** The conversation. Of a long one only what is near the screen is in the page, so that a thousand messages are as quick as ten. */
export function MessageList({ items, loaded }: MessageListProps) {
  const { hasOlder, isLoadingOlder, loadOlder } = loaded;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, jump } = useFollowBottom(scroller, content);
  const isShort = !hasOlder && items.length <= WHOLE_THREAD;
  const newestSend = items.findLast((item) => item.kind === 'sent')?.key;

  const virtualizer = useRef<VirtualizerHandle>(null);
  const found = useFoundRow(items, virtualizer);
  const isReading = useFoundMessage((state) => state.isReading);

  // Whoever sends wants to see the answer, wherever they were reading.
  useEffect(() => {
    if (newestSend) jump();
  }, [newestSend, jump]);

  return (
    <Box position="relative" height="100%">
      <Box
        ref={scroller}
        height="100%"
        overflowY="auto"
        overscrollBehavior="contain"
        tabIndex={0}
        role="region"
        aria-label="Conversation"
        className="conversation"
        css={{ overflowAnchor: 'none' }}
      >
        <Box ref={content} pt="4" pb="2">
          {isLoadingOlder && (
            <Center py="2">
              <Spinner size="sm" color="fg.muted" />
            </Center>
          )}
          <Virtualizer
            as={Rows}
            scrollRef={scroller}
            ref={virtualizer}
            shift={isLoadingOlder || isReading}
            keepMounted={isShort ? items.map((_, index) => index) : undefined}
            onScroll={(offset) => {
              if (offset < LOAD_OLDER_PX && hasOlder) loadOlder();
            }}
          >
            {items.map((item, index) => (
              <Box
                key={item.key}
                data-newest={index === items.length - 1 ? '' : undefined}
                {...(item.key === found && FOUND)}
              >
                <Row item={item} />
              </Box>
            ))}
          </Virtualizer>
        </Box>
      </Box>
      {isAway && (
        <IconButton
          position="absolute"
          bottom="3"
          insetStart="50%"
          transform="translateX(-50%)"
          borderRadius="full"
          size="sm"
          variant="outline"
          bg="bg.panel"
          boxShadow="float"
          aria-label="Jump to latest"
          title="Jump to latest"
          onClick={jump}
        >
          <ArrowDown size={18} />
        </IconButton>
      )}
    </Box>
  );
}

/** Brings a message that was searched for on the screen; answers its key while it is marked. */
function useFoundRow(items: ConversationItem[], virtualizer: RefObject<VirtualizerHandle | null>): string | null {
  const wanted = useFoundMessage((state) => state.wanted);
  const [marked, setMarked] = useState<string | null>(null);
  const list = useRef(items);
  useEffect(() => {
    list.current = items;
  });
  useEffect(() => {
    const index = list.current.findIndex((item) => item.kind === 'message' && item.message.id === wanted?.messageId);
    const item = list.current[index];
    if (!item) return;
    useFoundMessage.setState({ wanted: null });
    virtualizer.current?.scrollToIndex(index, { align: 'center' });
    setMarked(item.key);
  }, [wanted, virtualizer]);
  useEffect(() => {
    if (marked === null) return;
    const timer = setTimeout(() => setMarked(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);
  return marked;
}

/**
 * The library would take the pointer from all rows while they scroll, and a growing answer scrolls all the time: each time
 * the browser would style everything in the conversation anew.
 */
function Rows({ style, children, ref }: CustomContainerComponentProps & { ref?: Ref<HTMLDivElement> }) {
  const { pointerEvents: _, ...rest } = style;
  return (
    <div ref={ref} style={rest}>
      {children}
    </div>
  );
}

function Row({ item }: { item: ConversationItem }) {
  if (item.kind === 'sent') return <SentMessage send={item.send} content={item.content} />;
  if (item.kind === 'thinking') return <ThinkingMessage send={item.send} />;
  return item.message.isUserMessage ? <UserMessage message={item.message} /> : <AiMessage message={item.message} />;
}
