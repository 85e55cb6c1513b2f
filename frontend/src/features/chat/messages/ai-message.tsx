import { Flex, Text } from '@chakra-ui/react';
import { isOpen, type Message, type MessageContent, type MessagePart, parseContent } from '@tanya/contract';
import { RefreshCw } from 'lucide-react';
import { memo, Suspense } from 'react';
import { noticeText } from '../../../app/i18n/error-sentence';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { Markdown } from '../../markdown/markdown';
import { MarkdownFrame } from '../../markdown/markdown-frame';
import { useConversationActions } from '../shared/conversation-context';
import { endOf } from './announcements/status-texts';
import { ActionButton, MessageActions, MessageMeta, VersionSwitch } from './actions/message-actions';
import { FeedbackButtons } from './actions/feedback-buttons';
import { MessageFiles } from './message-files';
import { MessageRow } from './message-row';
import { Reasoning } from './reasoning';
import { RegenerateWith } from './actions/regenerate-with';
import { LineButton, StatusLine } from './status-line';
import { runningGeneration, useStreaming } from './use-streaming';
import { Thinking } from './thinking';

interface AiMessageProps {
  message: Message;
  /** Whether it is the last message of the conversation; only that one can be continued. */
  isNewest: boolean;
}

export const AiMessage = memo(function AiMessage({ message, isNewest }: AiMessageProps) {
  const isStreaming = isOpen(message.status);
  return (
    <MessageRow from="ai" footer={isStreaming ? undefined : <AnswerActions message={message} />}>
      <AnswerBody message={message} />
      {!isStreaming && <AnswerStatus message={message} isNewest={isNewest} />}
    </MessageRow>
  );
});

const ReadAloud = lazyWithPreload(() => import('./actions/read-aloud'));

/** Answers with tools or sources are rare, so their code is loaded with the first of them. */
const AnswerParts = lazyWithPreload(() => import('./parts/answer-parts'));

function AnswerBody({ message }: { message: Message }) {
  const hasParts = useStreaming(runningGeneration(message), (entry) => hasOwnParts(message, entry?.parts));
  if (!hasParts) return <PlainBody message={message} />;
  return (
    <Suspense fallback={<PlainBody message={message} />}>
      <AnswerParts message={message} scope={`m${message.id}`} />
    </Suspense>
  );
}

/** Whether an answer has more than its reasoning and its text, or its one image. */
const hasOwnParts = (message: Message, parts: readonly MessagePart[] = message.parts ?? []): boolean =>
  parts.some(({ type }) => type === 'tool' || type === 'source' || type === 'image') && !parseAnswer(message).imageUrl;

function PlainBody({ message }: { message: Message }) {
  const generationId = runningGeneration(message);
  const content = parseAnswer(message);
  const hasText = useStreaming(generationId, (entry) => (entry?.text ?? content.text) !== '');
  const hasReasoning = useStreaming(generationId, (entry) => Boolean(entry?.reasoning ?? message.reasoning));
  const isEmpty = !hasText && !content.imageUrl;
  return (
    <>
      <AnswerReasoning message={message} isThinking={generationId !== null && isEmpty} />
      {isEmpty && generationId !== null && <Thinking since={Date.parse(message.createdAt)} isSilent={!hasReasoning} />}
      {isEmpty && message.status === 'complete' && <Text color="fg.muted">{t('chat.noContent')}</Text>}
      {content.imageUrl && <MessageFiles content={content} />}
      {hasText && (
        <MarkdownFrame className="answer-text" dir="auto" data-streaming={generationId === null ? undefined : ''}>
          <AnswerText message={message} />
        </MarkdownFrame>
      )}
    </>
  );
}

/** The only part that renders at every frame of a stream. */
function AnswerText({ message }: { message: Message }) {
  const generationId = runningGeneration(message);
  const text = useStreaming(generationId, (entry) => entry?.text) ?? parseAnswer(message).text;
  return (
    <Markdown
      text={text}
      streaming={generationId !== null}
      scope={`m${message.id}`}
      cut={message.status !== 'complete'}
    />
  );
}

function AnswerReasoning({ message, isThinking }: { message: Message; isThinking: boolean }) {
  const reasoning = useStreaming(runningGeneration(message), (entry) => entry?.reasoning) ?? message.reasoning ?? '';
  return <Reasoning text={reasoning} isThinking={isThinking} scope={`m${message.id}-0`} />;
}

/** The content of a running answer is plain text; that of a final one may be JSON. */
function parseAnswer({ status, content }: Message): MessageContent {
  return isOpen(status) ? { text: content } : parseContent(content);
}

function AnswerStatus({ message, isNewest }: AiMessageProps) {
  const { status, error } = message;
  const notice = noticeText(message.notices, message.notice);
  const { isIdle, regenerate, continueAnswer } = useConversationActions();
  const canContinue = isNewest && parseAnswer(message).text !== '';
  const retry = (
    <LineButton disabled={!isIdle} onClick={() => regenerate(message.id)}>
      {t('common.retry')}
    </LineButton>
  );
  const continueButton = (
    <LineButton disabled={!isIdle} onClick={continueAnswer}>
      {t('conversation.continue')}
    </LineButton>
  );
  const continueOrRetry = (
    <Flex gap="2">
      {canContinue && continueButton}
      {retry}
    </Flex>
  );
  return (
    <>
      {notice && (
        <StatusLine tone="quiet" action={isCut(message) && canContinue ? continueButton : undefined}>
          {notice}
        </StatusLine>
      )}
      {(status === 'stopped' || status === 'interrupted') && (
        <StatusLine tone="quiet" action={continueOrRetry}>
          {endOf(message)}
        </StatusLine>
      )}
      {status === 'error' && <StatusLine action={retry}>{endOf(message)}</StatusLine>}
      {error?.cause && <StatusLine tone="quiet">{t('message.forAdmins', { cause: error.cause })}</StatusLine>}
    </>
  );
}

/** Whether a complete answer ended at a limit of its length. */
const isCut = ({ status, notices }: Message): boolean =>
  status === 'complete' && Boolean(notices?.some(({ code }) => code === 'answer_length' || code === 'answer_cut'));

function AnswerActions({ message }: { message: Message }) {
  const { isIdle, regenerate } = useConversationActions();
  const { text } = parseAnswer(message);
  return (
    <MessageActions>
      {text && <CopyButton label={t('message.copy')} text={() => text} />}
      {text && 'speechSynthesis' in window && (
        <Suspense>
          <ReadAloud messageId={message.id} />
        </Suspense>
      )}
      {/* Other final states have a Retry button in their status line. */}
      {message.status === 'complete' && (
        <>
          <ActionButton label={t('message.regenerate')} disabled={!isIdle} onClick={() => regenerate(message.id)}>
            <RefreshCw size={14} />
          </ActionButton>
          <RegenerateWith message={message} />
        </>
      )}
      {/* A rating counts for a model; an imported answer may have none. */}
      {text && message.modelId !== null && <FeedbackButtons message={message} />}
      <VersionSwitch message={message} />
      <MessageMeta message={message} />
    </MessageActions>
  );
}
