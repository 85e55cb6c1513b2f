import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useComposerStore } from '../../../app/state/composer-store';
import { joinTexts, onSaveDrafts, readDraft, writeDraft } from '../../../app/storage/drafts';
import type { Owner } from '../../../app/storage/owner';
import { onOwnerLeft, usePageOwner } from '../../../app/session/page-owner';
import type { ConversationKey } from '../client/outbox-store';

/** Debounce of the write to storage, which is slow on some phones. */
const SAVE_DELAY_MS = 250;

interface Draft {
  text: string;
  setText: (text: string) => void;
  /** Empties the text and its stored draft, after a send. */
  clear: () => void;
}

interface Typed {
  /** The owner who typed it; null before the session is loaded. */
  owner: Owner | null;
  text: string;
  /** Equal to the stored draft: it must not be written again after a logout has removed it. */
  isStored: boolean;
}

/**
 * The text in the composer. It is stored in the browser per owner and conversation. When the owner of the page changes,
 * the new owner's draft replaces it before the next paint.
 */
export function useDraft(conversation: ConversationKey): Draft {
  const owner = usePageOwner();
  const [typed, setTyped] = useState<Typed>(() => ({ owner, text: readDraft(owner, conversation), isStored: true }));
  const unsaved = useRef<() => void>(undefined);
  const idea = useRef('');
  const inserted = useComposerStore((state) => state.text);

  useEffect(() => {
    if (inserted === null) return;
    useComposerStore.setState({ text: null });
    const { value, isIdea } = inserted;
    const last = idea.current;
    if (isIdea) idea.current = value;
    setTyped(({ owner, text }) => {
      const ownText = isIdea && text.endsWith(last) ? text.slice(0, text.length - last.length).trimEnd() : text;
      return { owner, text: isIdea ? joinTexts(ownText, value) : joinTexts(value, ownText), isStored: false };
    });
  }, [inserted]);

  const save = useCallback(() => {
    unsaved.current?.();
    unsaved.current = undefined;
  }, []);

  useEffect(() => {
    unsaved.current = typed.isStored ? undefined : () => writeDraft(typed.owner, conversation, typed.text);
    const timer = setTimeout(save, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [conversation, typed, save]);

  // A layout effect, so that the new owner never sees the text of the previous one.
  useLayoutEffect(() => {
    if (typed.owner === owner) return;
    save();
    const typedEarly = typed.owner === null ? typed.text : '';
    setTyped({ owner, text: joinTexts(readDraft(owner, conversation), typedEarly), isStored: typedEarly === '' });
  }, [owner, conversation, typed, save]);

  useEffect(() => {
    const stop = onOwnerLeft(() => (unsaved.current = undefined));
    const stopSaving = onSaveDrafts(save);
    window.addEventListener('pagehide', save);
    return () => {
      stop();
      stopSaving();
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  const setText = (text: string) => setTyped({ ...typed, text, isStored: false });
  const clear = () => {
    setText('');
    unsaved.current = undefined;
    // Written at once: the ack may change the conversation key, and the old draft would stay.
    writeDraft(typed.owner, conversation, '');
  };
  return { text: typed.text, setText, clear };
}
