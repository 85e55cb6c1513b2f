import { type Message, parseContent, type PublicModel } from '@tanya/contract';
import { useMemo, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { restoreDraft } from '../../../app/state/composer-store';
import { showFailure } from '../../../components/feedback/fail';
import { chatClient, threadCache } from '../client/chat-client-singleton';
import { trackChange } from '../client/thread-changes';
import { choicesOf } from '../shared/chosen-tools';
import type { ConversationActions } from '../shared/conversation-context';
import { requestEdit, useEditRequest } from '../shared/edit-request-store';
import { filesOf, toContent, toOutgoing } from '../shared/message-content';
import { sentContent } from '../messages/conversation-view';
import type { PendingSend } from '../client/outbox-store';
import type { Conversation } from './use-conversation';

export function useConversationActionsFor(
  { key, threadId }: Conversation,
  model: PublicModel,
  isBusy: boolean,
  isUsedUp: boolean,
): ConversationActions {
  const [isSwitching, setSwitching] = useState(false);
  return useMemo(() => {
    const showVersion = async (messageId: number): Promise<boolean> => {
      if (threadId === null) return false;
      setSwitching(true);
      try {
        await trackChange(threadId, api.patch(`/api/chat/threads/${threadId}`, { activeLeafId: messageId }));
        await threadCache.refresh(threadId);
        return true;
      } catch (error) {
        showFailure('conversation.versionFailed', error);
        return false;
      } finally {
        setSwitching(false);
      }
    };
    const canSwitch = !isBusy && !isSwitching;
    return {
      canSwitch,
      isIdle: canSwitch && !isUsedUp,
      // The prompt has the text of the stopped answer.
      continueAnswer: () =>
        chatClient.send({
          conversation: key,
          threadId,
          ...choicesOf(key, model),
          content: toOutgoing({ text: t('conversation.continue'), files: [] }),
        }),
      regenerate: (messageId: number, other: PublicModel = model) =>
        chatClient.regenerate(key, messageId, choicesOf(key, other)),
      edit: (message: Message, text: string) => {
        const edited = { text, files: filesOf(parseContent(message.content)) };
        chatClient.send({
          conversation: key,
          threadId,
          ...choicesOf(key, model),
          content: toOutgoing(edited),
          shown: toContent(edited),
          editOf: message.id,
        });
      },
      showVersion,
      retry: ({ clientMessageId, request, shown }: PendingSend, isOther = false) => {
        if (!isOther || request.event !== 'generation:start') return chatClient.retry(clientMessageId);
        chatClient.discard(clientMessageId);
        const { clientMessageId: _, ...payload } = request.payload;
        chatClient.send({ ...payload, ...choicesOf(key, model), conversation: key, shown });
      },
      withdraw: (send: PendingSend) => {
        const { clientMessageId, request } = send;
        if (request.event !== 'generation:start') return chatClient.discard(clientMessageId);
        const { editOf } = request.payload;
        // Without the message, as in another version of the conversation, the composer takes the text.
        const isEdit = editOf !== undefined && threadId !== null && threadCache.message(threadId, editOf) !== undefined;
        // A text that is being edited stays.
        if (isEdit && useEditRequest.getState().editing.includes(editOf)) return requestEdit(editOf);
        chatClient.discard(clientMessageId);
        const content = sentContent(send);
        if (isEdit) requestEdit(editOf, content.text);
        else restoreDraft(content.text, filesOf(content));
      },
    };
  }, [key, threadId, model, isBusy, isUsedUp, isSwitching]);
}
