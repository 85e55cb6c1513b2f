import { useEffect, useRef, useState } from 'react';
import { useComposerInbox } from '../../app/composer-inbox';
import { readDraft, writeDraft } from './drafts';
import type { ConversationKey } from './outbox-store';

/** Writing at every key would be felt on slow phones. */
const SAVE_DELAY_MS = 250;

interface Draft {
  text: string;
  setText: (text: string) => void;
  /** The text was sent. */
  clear: () => void;
}

/** The text in the composer, kept per conversation over reloads, logins and visits elsewhere. */
export function useDraft(conversation: ConversationKey): Draft {
  const [text, setText] = useState(() => readDraft(conversation));
  const latest = useRef({ conversation, text });
  const handed = useComposerInbox((state) => state.text);

  useEffect(() => {
    if (handed === null) return;
    useComposerInbox.setState({ text: null });
    const { value, replacesTyped } = handed;
    setText((typed) => (replacesTyped || typed.trim() === '' ? value : `${value}\n\n${typed}`));
  }, [handed]);

  useEffect(() => {
    latest.current = { conversation, text };
    const timer = setTimeout(() => writeDraft(conversation, text), SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [conversation, text]);

  useEffect(() => {
    const save = () => writeDraft(latest.current.conversation, latest.current.text);
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, []);

  const clear = () => {
    setText('');
    latest.current = { conversation, text: '' };
    // At once: by its ack the conversation may have another name, and the old draft would stay.
    writeDraft(conversation, '');
  };
  return { text, setText, clear };
}
