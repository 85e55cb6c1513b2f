import { type Message, parseContent } from '@tanya/contract';
import { Pencil } from 'lucide-react';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { useConversationActions } from '../shared/conversation-context';
import { markEditing, useEditRequest } from '../shared/edit-request-store';
import { EditMessage } from './edit-message';
import { ActionButton, MessageActions, MessageMeta, VersionSwitch } from './actions/message-actions';
import { MessageRow } from './message-row';
import { UserBubble } from './user-bubble';

export const UserMessage = memo(function UserMessage({ message }: { message: Message }) {
  const { edit, isIdle } = useConversationActions();
  const [isEditing, setEditing] = useState(false);
  const hasCancelled = useRef(false);
  useEditRequested(message.id, () => setEditing(true));
  useEffect(() => (isEditing ? markEditing(message.id) : undefined), [isEditing, message.id]);
  const content = parseContent(message.content);
  if (isEditing) {
    const cancel = () => {
      hasCancelled.current = true;
      setEditing(false);
    };
    const save = (text: string) => {
      setEditing(false);
      edit(message, text);
    };
    return (
      <MessageRow from="user">
        <EditMessage text={content.text} isIdle={isIdle} onSave={save} onCancel={cancel} />
      </MessageRow>
    );
  }
  const restoreFocus = (button: HTMLButtonElement | null) => {
    if (hasCancelled.current) button?.focus();
    hasCancelled.current = false;
  };
  const footer: ReactNode = (
    <MessageActions>
      <MessageMeta message={message} />
      <VersionSwitch message={message} />
      <ActionButton label={t('common.edit')} ref={restoreFocus} disabled={!isIdle} onClick={() => setEditing(true)}>
        <Pencil size={14} />
      </ActionButton>
      <CopyButton label={t('message.copy')} text={() => content.text} />
    </MessageActions>
  );
  return (
    <MessageRow from="user" footer={footer}>
      <UserBubble content={content} />
    </MessageRow>
  );
});

/** Opens the editing of a message when the composer asks for it. */
function useEditRequested(messageId: number, edit: () => void): void {
  const isRequested = useEditRequest((state) => state.messageId === messageId);
  const open = useRef(edit);
  useEffect(() => {
    open.current = edit;
  });
  useEffect(() => {
    if (!isRequested) return;
    useEditRequest.setState({ messageId: null });
    open.current();
  }, [isRequested]);
}
