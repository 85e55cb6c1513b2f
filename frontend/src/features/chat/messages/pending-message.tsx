import { Flex } from '@chakra-ui/react';
import type { MessageContent } from '@tanya/contract';
import { sentenceOf } from '../../../app/i18n/error-sentence';
import { t } from '../../../app/i18n/translate';
import { UpgradeButton } from '../../../components/buttons/upgrade-button';
import { useConversationActions } from '../shared/conversation-context';
import { MessageRow } from './message-row';
import { isWithdrawable } from '../client/is-withdrawable';
import type { PendingSend } from '../client/outbox-store';
import { LineButton, StatusLine } from './status-line';
import { Thinking } from './thinking';
import { UserBubble } from './user-bubble';

/** A message without an ack: sending, waiting for a connection, or refused. */
export function SentMessage({ send, content }: { send: PendingSend; content: MessageContent }) {
  return (
    <MessageRow from="user">
      <UserBubble content={content} isPending={send.state === 'waiting'} />
      <PendingStatus send={send} />
    </MessageRow>
  );
}

/** The placeholder of an answer that has not started. */
export function ThinkingMessage({ send }: { send: PendingSend }) {
  const isRegeneration = send.request.event === 'generation:regenerate';
  return (
    <MessageRow from="ai">
      {send.state !== 'failed' && <Thinking />}
      {isRegeneration && <PendingStatus send={send} />}
    </MessageRow>
  );
}

function PendingStatus({ send }: { send: PendingSend }) {
  const { retry, withdraw } = useConversationActions();
  const { state, error } = send;
  const withdrawButton = isWithdrawable(send) && (
    <LineButton onClick={() => withdraw(send)}>
      {send.request.event === 'generation:start' ? t('common.edit') : t('conversation.dismiss')}
    </LineButton>
  );
  if (state === 'waiting') {
    return (
      <StatusLine tone="quiet" action={withdrawButton}>
        {t('message.willBeSent')}
      </StatusLine>
    );
  }
  if (state !== 'failed' || !error) return null;
  const needsUpgrade = error.code === 'quota_exceeded' || error.code === 'model_premium';
  return (
    <StatusLine
      action={
        <Flex gap="2">
          {needsUpgrade && <UpgradeButton size="xs" colorPalette="jade" />}
          <LineButton onClick={() => retry(send)}>{t('common.retry')}</LineButton>
          {withdrawButton}
        </Flex>
      }
    >
      {sentenceOf(error)}
      {error.retryAfter ? ` ${t('message.retryAfter', { seconds: error.retryAfter })}` : ''}
    </StatusLine>
  );
}
