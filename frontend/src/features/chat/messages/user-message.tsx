import { filesOfContent, type Message, parseContent } from '@tanya/contract';
import { Pencil } from 'lucide-react';
import { memo, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { focusableComposer } from '../../../app/browser/composer-field';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { useConversationActions } from '../shared/conversation-context';
import { markEditing, unsentEdits, useEditRequest } from '../shared/edit-request-store';
import { EditMessage } from './edit-message';
import { ActionButton } from '../../../components/buttons/action-button';
import { MessageActions, MessageMeta, VersionSwitch } from './actions/message-actions';
import { MessageRow } from './message-row';
import { UserBubble } from './user-bubble';

export const UserMessage = memo(function UserMessage({ message }: { message: Message }) {
  const { edit, isIdle } = useConversationActions();
  /** The text that the editing begins with; null while the message is not edited. */
  const [edited, setEdited] = useState<string | null>(null);
  const isEditing = edited !== null;
  const hasCancelled = useRef(false);
  const content = parseContent(message.content);
  /** Whether the editing began in the composer, which has the focus after it. */
  const isRequested = useRef(false);
  const begin = () => setEdited(unsentEdits.get(message.id) ?? content.text);
  useEditRequested(message.id, (text) => {
    isRequested.current = true;
    // A refused edit is no longer in the outbox.
    if (text !== undefined) unsentEdits.set(message.id, text);
    begin();
  });
  useEffect(() => (isEditing ? markEditing(message.id) : undefined), [isEditing, message.id]);
  if (isEditing) {
    const end = () => {
      unsentEdits.delete(message.id);
      setEdited(null);
    };
    const cancel = () => {
      hasCancelled.current = true;
      end();
    };
    const save = (text: string) => {
      end();
      edit(message, text);
    };
    return (
      <MessageRow from="user">
        <EditMessage
          text={edited}
          stored={content.text}
          isIdle={isIdle}
          hasFiles={filesOfContent(content).length > 0}
          onEdit={(text) => unsentEdits.set(message.id, text)}
          onSave={save}
          onCancel={cancel}
        />
      </MessageRow>
    );
  }
  const restoreFocus = (button: HTMLButtonElement | null) => {
    if (hasCancelled.current) (isRequested.current ? focusableComposer() : button)?.focus();
    hasCancelled.current = false;
  };
  const footer: ReactNode = (
    <MessageActions>
      <MessageMeta message={message} />
      <VersionSwitch message={message} />
      <ActionButton
        label={t('common.edit')}
        ref={restoreFocus}
        disabled={!isIdle}
        onClick={() => {
          isRequested.current = false;
          begin();
        }}
      >
        <Pencil size={14} />
      </ActionButton>
      {content.text && <CopyButton label={t('message.copy')} text={() => content.text} />}
    </MessageActions>
  );
  return (
    <MessageRow from="user" footer={footer}>
      <UserBubble content={content} />
    </MessageRow>
  );
});

/** Opens the editing of a message when another part of the page asks for it. */
function useEditRequested(messageId: number, edit: (text?: string) => void): void {
  const isRequested = useEditRequest((state) => state.messageId === messageId);
  const open = useEffectEvent(edit);
  useEffect(() => {
    if (!isRequested) return;
    const { text } = useEditRequest.getState();
    useEditRequest.setState({ messageId: null, text: undefined });
    open(text);
  }, [isRequested]);
}
