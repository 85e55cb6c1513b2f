import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { mayUsePremium, type MessageContent } from '@tanya/contract';
import type { ApiErrorCode } from '../../../app/api/api-error';
import { t } from '../../../app/i18n/translate';
import { currentUserQuery } from '../../../app/queries/user.query';
import { ContactText } from '../../../components/buttons/admin-contact';
import { UpgradeButton } from '../../../components/buttons/upgrade-button';
import { useConversationActions } from '../shared/conversation-context';
import { modelName } from '../shared/model-names';
import { useIsUsedUp } from '../shared/use-is-used-up';
import { refusalOf } from './announcements/status-texts';
import { MessageRow } from './message-row';
import { isWithdrawable } from '../client/is-withdrawable';
import type { PendingSend } from '../client/outbox-store';
import { LineButton, StatusLine } from './status-line';
import { Thinking } from './thinking';
import { UserBubble } from './user-bubble';

/** Refusals of the model or of a tool of the send. The same request would be refused again, unless an upgrade allows the model. */
const NEEDS_CHANGE: readonly ApiErrorCode[] = ['model_unavailable', 'model_premium', 'tool_not_found'];

/** A message without an ack: sending, waiting for a connection, or refused. */
export function SentMessage({ send, content }: { send: PendingSend; content: MessageContent }) {
  return (
    <MessageRow from="user">
      <UserBubble content={content} isPending={send.state === 'waiting' || send.state === 'queued'} />
      <PendingStatus send={send} />
    </MessageRow>
  );
}

/** The placeholder of an answer that has not started; none for a message that waits for a connection. */
export function ThinkingMessage({ send }: { send: PendingSend }) {
  const isRegeneration = send.request.event === 'generation:regenerate';
  const isSending = send.state === 'sending';
  if (!isSending && !isRegeneration) return null;
  return (
    <MessageRow from="ai">
      {isSending && <Thinking />}
      {isRegeneration && <PendingStatus send={send} />}
    </MessageRow>
  );
}

function PendingStatus({ send }: { send: PendingSend }) {
  const { retry, withdraw } = useConversationActions();
  const { data: user } = useQuery(currentUserQuery);
  const isUsedUp = useIsUsedUp();
  const { state, error } = send;
  const isMessage = send.request.event === 'generation:start';
  const isPremium = mayUsePremium(user);
  const needsChange =
    error !== null && NEEDS_CHANGE.includes(error.code) && !(error.code === 'model_premium' && isPremium);
  // Without messages left there is no composer that could show the text. Without Retry it is kept in the draft.
  const isKept = isMessage && isUsedUp && state === 'failed' && !needsChange;
  const withdrawButton = isWithdrawable(send) && !isKept && (
    <LineButton onClick={() => withdraw(send)}>
      {state === 'queued' ? t('common.cancel') : isMessage ? t('common.edit') : t('conversation.dismiss')}
    </LineButton>
  );
  if (state === 'waiting' || state === 'queued') {
    return (
      <StatusLine tone="quiet" action={withdrawButton}>
        {state === 'queued' ? t('message.afterAnswer') : t('message.willBeSent')}
      </StatusLine>
    );
  }
  if (state !== 'failed' || !error) return null;
  const sentModel = (isMessage && send.request.payload.model) || '';
  const isModelGone = error.code === 'model_unavailable' && sentModel !== '';
  const needsUpgrade = !isPremium && (error.code === 'quota_exceeded' || error.code === 'model_premium');
  return (
    <StatusLine
      action={
        <Flex gap="2">
          {needsUpgrade && <UpgradeButton size="xs" colorPalette="jade" />}
          {isModelGone && !isUsedUp && (
            <LineButton onClick={() => retry(send, true)}>{t('message.sendWithOther')}</LineButton>
          )}
          {!needsChange && <LineButton onClick={() => retry(send)}>{t('common.retry')}</LineButton>}
          {withdrawButton}
        </Flex>
      }
    >
      <ContactText
        text={isModelGone ? t('message.modelGone', { name: modelName(sentModel) }) : refusalOf(error, user)}
      />
    </StatusLine>
  );
}
