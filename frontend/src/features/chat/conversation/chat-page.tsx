import { Box, Flex } from '@chakra-ui/react';
import { type ComponentProps, type ComponentType, Suspense, useEffect, useMemo, useState } from 'react';
import { NARROW } from '../../../app/browser/media-queries';
import { onCommand } from '../../../app/state/commands';
import { showFailure } from '../../../components/feedback/fail';
import { useMediaQuery } from '../../../components/hooks/use-media-query';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { lazyWhenIdle } from '../../../components/lazy/lazy-when-idle';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { useWhenIdle } from '../../../components/lazy/use-when-idle';
import { idle } from '../../../app/browser/when-idle';
import { preloadMarkdown } from '../../markdown/markdown';
import { AnswerAnnouncer } from '../messages/announcements/answer-announcer';
import { chatClient, onAnswerFinished } from '../client/chat-client-singleton';
import { isWithdrawable } from '../client/is-withdrawable';
import { Composer, preloadAttachmentChips } from '../composer/composer';
import { ConnectionBanner } from './connection-banner';
import { LoadingConversation } from './loading-conversation';
import { choicesOf } from '../shared/chosen-tools';
import { ConversationContext } from '../shared/conversation-context';
import { requestEdit } from '../shared/edit-request-store';
import { firstMessageText, isBlocking, streamingMessage, toItems } from '../messages/conversation-view';
import { DropZone } from '../../../components/files/drop-zone';
import { FirstTurn } from '../messages/first-turn';
import { type ComposedMessage, toContent, toOutgoing } from '../shared/message-content';
import { ModelPicker } from '../model-picker/model-picker';
import { UntitledHeading } from '../shared/untitled-heading';
import { useIsUsedUp } from '../shared/use-is-used-up';
import { usePendingSends } from '../shared/use-pending-sends';
import { QuotaDisplay } from '../composer/quota-display';
import { useAttachments } from '../composer/use-attachments';
import { useConversation } from './use-conversation';
import { useConversationActionsFor } from './use-conversation-actions';
import { type LoadedMessages, useMessages } from '../messages/use-messages';
import { useModelChoice } from '../model-picker/use-model-choice';
import { Welcome } from './welcome';
import { markTitle } from '../../../app/browser/page-title';

/** Marks the title of a hidden tab at each finished answer. */
function startAnswerNotifications(): void {
  onAnswerFinished(markTitle);
}

const ThreadTools = lazyWithPreload(() => import('../thread-tools/thread-tools'));
const ThreadNotes = lazyWithPreload(() => import('../thread-tools/thread-notes'));
const HomeLines = lazyWhenIdle(() => import('./home-lines'));
const Conversation = lazyWithPreload(() => import('./conversation'));
const MemberChips = lazyWithPreload(() => import('../composer/member-chips'));
const TemporaryToggle = lazyWhenIdle(() => import('../composer/temporary-toggle'));
const EffortSelect = lazyWithPreload(() => import('../composer/effort-select'));
const ToolsMenu = lazyWithPreload(() => import('../composer/tools/tools-menu'));
const QuotaNotice = lazyWithPreload(() => import('../composer/quota-notice'));

/** The preload starts after this time even on a busy page, because the first message may be sent at any moment. */
const PRELOAD_DEADLINE_MS = 1_000;

startAnswerNotifications();

interface ChatPageProps {
  /** The thread id of the address; null on the home page. */
  threadId: number | null;
  /** The project of a new chat. */
  projectId?: number;
  ideas?: ComponentType<{ canUse: boolean }>;
}

export function ChatPage({ threadId: routeThreadId, projectId, ideas: Ideas }: ChatPageProps) {
  const conversation = useConversation(routeThreadId);
  const { key, threadId } = conversation;
  const loaded = useMessages(threadId);
  const pending = usePendingSends(key);
  const attachments = useAttachments(key);
  const choice = useModelChoice(loaded.messages);
  /** Whether custom instructions apply to a new conversation; undefined follows the account. */
  const [instructed, setInstructed] = useState<boolean>();
  /** The new conversation that will be temporary. */
  const [temporary, setTemporary] = useState<string | null>(null);
  const isUsedUp = useIsUsedUp();
  const focusRef = useFocusRecovery();

  const streaming = streamingMessage(loaded.messages);
  const isSending = pending.some(isBlocking);
  const items = useMemo(() => toItems(loaded.messages, pending), [loaded.messages, pending]);
  const isHome = threadId === null && items.length === 0;
  const isUnreadable = loaded.failed || loaded.needsLogin;
  const isBusy = isSending || streaming !== undefined;
  const canWrite = !isUsedUp || isBusy;
  const actions = useConversationActionsFor(conversation, choice.model, isBusy, isUsedUp);
  const stop = useStop(streaming?.generationId ?? null);
  usePreloadedMessages(threadId !== null);

  const send = (message: ComposedMessage) =>
    chatClient.send({
      conversation: key,
      threadId,
      ...choicesOf(key, choice.model),
      content: toOutgoing(message),
      shown: toContent(message),
      useInstructions: threadId === null ? instructed : undefined,
      temporary: (threadId === null && temporary === key) || undefined,
      // With a thread, the address has none.
      projectId,
    });
  const { preferences } = choice;
  // On narrow screens the composer is at the bottom, in reach of a thumb, with the ideas above it.
  const isNarrow = useMediaQuery(NARROW);
  const ideas = Ideas && <Ideas canUse={canWrite} />;

  const editLast = () => {
    const last = items.findLast(
      (item) => item.kind === 'sent' || (item.kind === 'message' && item.message.isUserMessage),
    );
    if (!last || !actions.isIdle) return false;
    if (last.kind === 'message') requestEdit(last.message.id);
    else if (isWithdrawable(last.send)) actions.withdraw(last.send);
    else return false;
    return true;
  };

  return (
    <ConversationContext value={actions}>
      <DropZone
        as="main"
        direction="column"
        height="100%"
        overflowY={isHome ? 'auto' : undefined}
        // Without a composer a file would upload unseen.
        disabled={isSending || isUnreadable || !canWrite}
        onFiles={attachments.add}
      >
        <Flex
          className="conversation-bar"
          position="relative"
          align="center"
          justify="space-between"
          px={{ base: '1', md: '3' }}
          minH="12"
          gap="2"
          flexShrink={0}
        >
          <ModelPicker choice={choice} />
          {isHome && canWrite && (
            <TemporaryToggle isOn={temporary === key} onChange={(isOn) => setTemporary(isOn ? key : null)} />
          )}
          {!isHome && !isUnreadable && (
            <Suspense fallback={<UntitledHeading />}>
              {threadId === null ? <UntitledHeading /> : <ThreadTools threadId={threadId} />}
            </Suspense>
          )}
        </Flex>
        <ConnectionBanner />
        {/* The lines use the free space above the welcome message, which stands at the lower end and does not move. */}
        <Flex direction="column" flex="1 1 0" minH={isHome ? 'min-content' : '0'}>
          <Suspense>{isHome && <HomeLines isTemporary={temporary === key} />}</Suspense>
          <Box flex={isHome ? 'none' : '1 1 0'} mt="auto" minH="0">
            <Body isHome={isHome} loaded={loaded} items={items} />
          </Box>
        </Flex>
        {isNarrow && isHome && ideas && (
          // The height of the ideas, which appear later.
          <Flex direction="column" justify="flex-end" minH="8.75rem" flexShrink={0}>
            {ideas}
          </Flex>
        )}
        <Box
          // The page of a new chat scrolls where an on-screen keyboard leaves little height; the send button stays in view.
          position={isHome ? 'sticky' : undefined}
          bottom="0"
          zIndex="1"
          bg="bg"
          width="100%"
          maxW="48rem"
          mx="auto"
          px={{ base: '3', sm: '4' }}
          pb="3"
          flexShrink={0}
        >
          {threadId !== null && !isUnreadable && (
            <Suspense>
              <ThreadNotes threadId={threadId} />
            </Suspense>
          )}
          <div ref={focusRef}>
            {isUnreadable ? null : !canWrite ? (
              <Suspense fallback={<Box minH="24" />}>
                <QuotaNotice conversation={key} />
              </Suspense>
            ) : (
              <Composer
                conversation={key}
                attachments={attachments}
                isSending={isSending}
                answering={streaming?.generationId ?? null}
                onSend={send}
                onStop={stop}
                onEditLast={editLast}
                status={
                  <>
                    <QuotaDisplay />
                    {choice.model.supportsTools !== false && (
                      <IdleToolsMenu conversation={key} threadId={threadId} projectId={projectId} />
                    )}
                    <Suspense>
                      {choice.model.reasoningEfforts?.length ? <EffortSelect model={choice.model} /> : null}
                      {preferences && (
                        <MemberChips
                          choice={choice}
                          threadId={threadId}
                          chosen={instructed}
                          onChoose={setInstructed}
                          projectId={projectId}
                        />
                      )}
                    </Suspense>
                  </>
                }
              />
            )}
          </div>
        </Box>
        <Box
          flexGrow={isHome && !isNarrow ? 1.4 : 0}
          flexShrink={1}
          flexBasis="0"
          minH={isHome ? 'min-content' : '0'}
          transition="flex-grow 180ms ease-out"
        >
          {!isNarrow && isHome && ideas}
        </Box>
        <AnswerAnnouncer conversation={key} />
      </DropZone>
    </ConversationContext>
  );
}

/** The menu of tools, which a first message does not wait for. */
function IdleToolsMenu(props: Omit<ComponentProps<typeof ToolsMenu>, 'place'>) {
  // Its place is kept, so that what follows it does not move.
  const place = <Box boxSize="9" flexShrink={0} />;
  return (
    <Suspense fallback={place}>
      {useWhenIdle(ToolsMenu.preload) ? <ToolsMenu {...props} place={place} /> : place}
    </Suspense>
  );
}

interface BodyProps {
  isHome: boolean;
  loaded: LoadedMessages;
  items: ReturnType<typeof toItems>;
}

function Body({ isHome, loaded, items }: BodyProps) {
  if (isHome) return <Welcome />;
  if (loaded.isLoading && items.length === 0) return <LoadingConversation />;
  const firstText = firstMessageText(items);
  return (
    <Suspense fallback={firstText === null ? <LoadingConversation /> : <FirstTurn text={firstText} />}>
      <Conversation items={items} loaded={loaded} />
    </Suspense>
  );
}

/** Begins to load the code that a chat waits for. */
export function preloadMessages(): void {
  void Conversation.preload();
  void preloadMarkdown();
}

/** The code that shows messages, in the order of need. */
const MESSAGE_CODE = [
  Conversation.preload,
  preloadMarkdown,
  ThreadTools.preload,
  QuotaNotice.preload,
  preloadAttachmentChips,
];

/** Preloads the code that shows messages: at once with a thread, else one part at a time while the first screen is idle. */
function usePreloadedMessages(hasThread: boolean): void {
  useEffect(() => {
    if (hasThread) return MESSAGE_CODE.forEach((preload) => void preload());
    let isLeft = false;
    const preloadInTurn = async () => {
      for (const preload of MESSAGE_CODE) {
        await idle(PRELOAD_DEADLINE_MS);
        if (isLeft) return;
        await preload();
      }
    };
    void preloadInTurn();
    return () => {
      isLeft = true;
    };
  }, [hasThread]);
}

/** Returns the function that stops the answer, and binds it to the keyboard command. */
function useStop(generationId: string | null): () => void {
  const stop = useMemo(
    () => () => {
      if (!generationId) return;
      chatClient.stop(generationId).catch((error: unknown) => {
        showFailure('conversation.stopFailed', error);
      });
    },
    [generationId],
  );
  useEffect(() => onCommand('stop', stop), [stop]);
  return stop;
}
