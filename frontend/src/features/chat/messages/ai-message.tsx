import { Flex } from '@chakra-ui/react';
import { isOpen, type Message } from '@tanya/contract';
import { RefreshCw } from 'lucide-react';
import { memo, Suspense, useState } from 'react';
import { noticeText } from '../../../app/i18n/error-sentence';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { copyText } from '../../../components/buttons/copy-text';
import { notify } from '../../../components/feedback/notify';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { useConversationActions } from '../shared/conversation-context';
import { endOf } from './announcements/status-texts';
import { ActionButton } from '../../../components/buttons/action-button';
import { MessageActions, MessageMeta, VersionSwitch } from './actions/message-actions';
import { FeedbackButtons } from './actions/feedback-buttons';
import { MessageRow } from './message-row';
import { endedAtLimit, parseAnswer } from './parts/answer-content';
import { AnswerParts } from './parts/answer-parts';
import { RegenerateWith } from './actions/regenerate-with';
import { LineButton, StatusLine } from './status-line';

interface AiMessageProps {
  message: Message;
  /** Whether it is the last message of the conversation; only that one can be continued. */
  isNewest: boolean;
}

export const AiMessage = memo(function AiMessage({ message, isNewest }: AiMessageProps) {
  const isStreaming = isOpen(message.status);
  return (
    <MessageRow from="ai" footer={isStreaming ? undefined : <AnswerActions message={message} />}>
      <AnswerParts message={message} scope={`m${message.id}`} />
      {!isStreaming && <AnswerStatus message={message} isNewest={isNewest} />}
    </MessageRow>
  );
});

const ReadAloud = lazyWithPreload(() => import('./actions/read-aloud'));

/** Copies the id by which an administrator finds the cause. */
function CopyId({ id }: { id: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const isDone = await copyText(id);
    setCopied(isDone);
    if (!isDone) notify({ title: t('common.copyRefused'), kind: 'error' });
  };
  return <LineButton onClick={() => void copy()}>{isCopied ? t('apiKey.copied') : t('message.copyId')}</LineButton>;
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
  const actions = (
    <Flex gap="2">
      {status !== 'error' && canContinue && continueButton}
      {retry}
      {error && message.generationId && <CopyId id={message.generationId} />}
    </Flex>
  );
  return (
    <>
      {notice && (
        <StatusLine tone="quiet" action={endedAtLimit(message) && canContinue ? continueButton : undefined}>
          {notice}
        </StatusLine>
      )}
      {(status === 'stopped' || status === 'interrupted') && (
        <StatusLine tone="quiet" action={actions}>
          {endOf(message)}
        </StatusLine>
      )}
      {status === 'error' && <StatusLine action={actions}>{endOf(message)}</StatusLine>}
      {error?.cause && <StatusLine tone="quiet">{t('message.forAdmins', { cause: error.cause })}</StatusLine>}
    </>
  );
}

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
