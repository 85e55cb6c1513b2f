import { Button } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { t } from '../../../app/i18n/translate';
import { showFailure } from '../../../components/feedback/fail';
import { SendButton } from './composer-buttons';
import { chatClient } from '../client/chat-client-singleton';
import { streamingStore } from '../client/streaming-store';

interface DenyAndSendProps {
  /** The answer of the conversation that is not finished. */
  generationId: string;
  /** Differs between two messages. */
  message: string;
  onSend: () => void;
}

/**
 * The buttons for a message while an answer is written: it is sent after the answer. If the answer waits for approvals, it
 * can be ended with its calls denied instead, then the message is sent unless it was changed meanwhile.
 */
export default function DenyAndSend({ generationId, message, onSend }: DenyAndSendProps) {
  const newest = useRef(message);
  useEffect(() => {
    newest.current = message;
  });
  const [isStopping, setStopping] = useState(false);
  const isWaiting = useStore(streamingStore.store, ({ entries }) =>
    Boolean(
      entries[generationId]?.parts.some((part) => part.type === 'tool' && part.state === 'waiting' && !part.approved),
    ),
  );
  if (!isWaiting) return <SendButton label={t('message.sendLater')} onSend={onSend} />;

  const denyAndSend = async () => {
    setStopping(true);
    try {
      await chatClient.stop(generationId);
      // Text that is typed until the stop stays in the field.
      if (newest.current === message) onSend();
    } catch (error) {
      showFailure('conversation.stopFailed', error);
      setStopping(false);
    }
  };
  return (
    <Button size="sm" variant="outline" borderRadius="full" loading={isStopping} onClick={() => void denyAndSend()}>
      {t('toolCall.denyAndSend')}
    </Button>
  );
}
