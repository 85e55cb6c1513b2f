import { Box, Center, IconButton, Spinner } from '@chakra-ui/react';
import type { ThreadSummary } from '@tanya/contract';
import { ArrowDown } from 'lucide-react';
import { type Ref, type RefObject, useEffect, useRef } from 'react';
import { type CustomContainerComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua';
import { t } from '../../../app/i18n/translate';
import { persistGuestMessageCount } from '../../../app/session/guest-message-count';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import { AiMessage } from './ai-message';
import type { PendingSend } from '../client/outbox-store';
import type { ConversationItem } from './conversation-view';
import { keepSelections } from './kept-selection';
import { useEditRequest } from '../shared/edit-request-store';
import { useFoundMessage } from '../shared/found-message-store';
import { SentMessage, ThinkingMessage } from './pending-message';
import { SummaryLine } from './parts/summary-line';
import { useFollowBottom } from './scrolling/use-follow-bottom';
import { useKeptPlace } from './scrolling/use-kept-place';
import type { LoadedMessages } from './use-messages';
import { UserMessage } from './user-message';

// Started with the first message list, because none needs an earlier start.
persistGuestMessageCount();
keepSelections();

/** Older messages are loaded within this distance to the first loaded one. */
const LOAD_OLDER_PX = 600;

/** The space above the first message. */
const START_PX = 24;

/** So far beyond the screen rows are mounted, so that they have their heights before they are seen. */
const BUFFER_PX = 600;

/** Threads up to this number of messages are fully mounted, so that the browser's search covers them. */
const MAX_FULLY_MOUNTED = 60;

const FoundBar = lazyDialog(() => import('./found/found-bar'));

interface MessageListProps {
  items: ConversationItem[];
  loaded: Pick<LoadedMessages, 'hasOlder' | 'isLoadingOlder' | 'loadOlder'>;
  /** What stands for earlier messages in prompts. */
  summary?: { threadId: number; summary: ThreadSummary } | null;
}

/** The messages of a conversation. A long one is virtualized: only the rows near the screen are mounted. */
export function MessageList({ items, loaded, summary = null }: MessageListProps) {
  const { hasOlder, isLoadingOlder, loadOlder } = loaded;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, jump, stay, follows } = useFollowBottom(scroller, content);
  const keepPlace = useKeptPlace(scroller, follows);
  const isShort = !hasOlder && items.length <= MAX_FULLY_MOUNTED;
  const newestSend = items.findLast((item) => item.kind === 'sent' && item.send.state !== 'failed')?.key;

  const upTo = summary?.summary.upToMessageId;
  const summaryIndex = items.findIndex((item) => item.kind === 'message' && item.message.id === upTo);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const requested = useFoundMessage((state) => state.requested);
  useEditedRow(items, virtualizer);
  useRefusedRow(items, virtualizer, stay);
  const edited = useEditedRows(items);
  const isLoadingThread = useFoundMessage((state) => state.isLoadingThread);

  // A send scrolls to the end, where its answer will appear.
  useEffect(() => {
    if (newestSend) jump();
  }, [newestSend, jump]);

  return (
    <Box position="relative" height="100%">
      {requested && (
        <FoundBar
          key={`${requested.messageId} ${requested.words}`}
          requested={requested}
          items={items}
          scroller={scroller}
          scrollTo={(index) => {
            stay();
            virtualizer.current?.scrollToIndex(index, { align: 'center' });
          }}
          onClose={() => useFoundMessage.setState({ requested: null })}
        />
      )}
      <Box
        ref={scroller}
        height="100%"
        overflowY="auto"
        overscrollBehavior="contain"
        tabIndex={0}
        role="region"
        aria-label={t('conversation.label')}
        className="conversation"
        css={{ overflowAnchor: 'none' }}
      >
        <Box ref={content} position="relative" pt={`${START_PX}px`} pb="2">
          {isLoadingOlder && (
            // Over the space above the messages, which it must not move.
            <Center position="absolute" insetInline="0" top="0" height={`${START_PX}px`}>
              <Spinner size="sm" color="fg.muted" />
            </Center>
          )}
          <Virtualizer
            as={Rows}
            scrollRef={scroller}
            ref={virtualizer}
            startMargin={START_PX}
            bufferSize={BUFFER_PX}
            onResize={keepPlace}
            shift={isLoadingOlder || isLoadingThread}
            keepMounted={isShort ? items.map((_, index) => index) : edited}
            onScroll={(offset) => {
              if (offset < LOAD_OLDER_PX && hasOlder) loadOlder();
            }}
          >
            {items.map((item, index) => (
              <Box
                key={item.key}
                data-newest={index === items.length - 1 ? '' : undefined}
                data-message={item.kind === 'message' ? item.message.id : undefined}
              >
                {/* Of a summary of messages that are not loaded, the line stands above the loaded ones. */}
                {summary && index === 0 && summaryIndex < 0 && <SummaryLine {...summary} />}
                <Row item={item} isNewest={index === items.length - 1} />
                {summary && index === summaryIndex && <SummaryLine {...summary} />}
              </Box>
            ))}
          </Virtualizer>
        </Box>
      </Box>
      {isAway && (
        <IconButton
          position="absolute"
          bottom="3"
          insetInline="0"
          width="fit-content"
          mx="auto"
          borderRadius="full"
          size="sm"
          variant="outline"
          bg="bg.panel"
          boxShadow="float"
          aria-label={t('message.latest')}
          title={t('message.latest')}
          onClick={jump}
        >
          <ArrowDown size={18} />
        </IconButton>
      )}
    </Box>
  );
}

/** Scrolls to a message whose editing is requested; its row opens it once it is mounted. */
function useEditedRow(items: ConversationItem[], virtualizer: RefObject<VirtualizerHandle | null>): void {
  const messageId = useEditRequest((state) => state.messageId);
  useEffect(() => {
    if (messageId === null) return;
    const index = items.findIndex((item) => item.kind === 'message' && item.message.id === messageId);
    if (index >= 0) virtualizer.current?.scrollToIndex(index, { align: 'nearest' });
  }, [messageId, items, virtualizer]);
}

/** Scrolls to a refused message, edit or regeneration: those that it hid while it was sent stand below it again. */
function useRefusedRow(
  items: ConversationItem[],
  virtualizer: RefObject<VirtualizerHandle | null>,
  stay: () => void,
): void {
  const sending = useRef<PendingSend>(undefined);
  useEffect(() => {
    const sends = items.map((item) => (item.kind === 'message' ? undefined : item.send));
    const isRefused = (send: PendingSend | undefined) =>
      send?.state === 'failed' && send.clientMessageId === sending.current?.clientMessageId;
    const index = sends.findIndex(isRefused);
    if (index >= 0 && index < items.length - 1) {
      stay();
      virtualizer.current?.scrollToIndex(index, { align: 'nearest' });
    }
    sending.current = sends.findLast((send) => send !== undefined && send.state !== 'failed');
  }, [items, virtualizer, stay]);
}

function useEditedRows(items: ConversationItem[]): number[] {
  const editing = useEditRequest((state) => state.editing);
  return items.flatMap((item, index) => (item.kind === 'message' && editing.includes(item.message.id) ? [index] : []));
}

/**
 * The container of the rows, without the library's `pointer-events: none` during scrolling. A growing answer scrolls at
 * every update, and each change of that style would restyle the whole conversation.
 */
function Rows({ style, children, ref }: CustomContainerComponentProps & { ref?: Ref<HTMLDivElement> }) {
  const { pointerEvents: _, ...rest } = style;
  return (
    <div ref={ref} style={rest}>
      {children}
    </div>
  );
}

export function Row({ item, isNewest }: { item: ConversationItem; isNewest: boolean }) {
  if (item.kind === 'sent') return <SentMessage send={item.send} content={item.content} />;
  if (item.kind === 'thinking') return <ThinkingMessage send={item.send} />;
  const { message } = item;
  return message.isUserMessage ? (
    <UserMessage message={message} />
  ) : (
    <AiMessage message={message} isNewest={isNewest} />
  );
}
