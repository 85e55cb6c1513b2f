import { type Message, parseContent } from '@tanya/contract';
import { Pencil } from 'lucide-react';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { focusableComposer } from '../../../app/browser/composer-field';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { useConversationActions } from '../shared/conversation-context';
import { markEditing, useEditRequest } from '../shared/edit-request-store';
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
  useEditRequested(message.id, (text = content.text) => {
    isRequested.current = true;
    setEdited(text);
  });
  useEffect(() => (isEditing ? markEditing(message.id) : undefined), [isEditing, message.id]);
  if (isEditing) {
    const cancel = () => {
      hasCancelled.current = true;
      setEdited(null);
    };
    const save = (text: string) => {
      setEdited(null);
      edit(message, text);
    };
    return (
      <MessageRow from="user">
        <EditMessage text={edited} stored={content.text} isIdle={isIdle} onSave={save} onCancel={cancel} />
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
          setEdited(content.text);
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
  const open = useRef(edit);
  useEffect(() => {
    open.current = edit;
  });
  useEffect(() => {
    if (!isRequested) return;
    const { text } = useEditRequest.getState();
    useEditRequest.setState({ messageId: null, text: undefined });
    open.current(text);
  }, [isRequested]);
}
