import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useComposerStore } from '../../../app/state/composer-store';
import { joinTexts, readDraft, writeDraft } from '../../../app/storage/drafts';
import type { Owner } from '../../../app/storage/owner';
import { onOwnerLeft, usePageOwner } from '../../../app/session/page-owner';
import type { ConversationKey } from '../client/outbox-store';

/** Writing at every key would be felt on slow phones. */
const SAVE_DELAY_MS = 250;

interface Draft {
  text: string;
  setText: (text: string) => void;
  /** The text was sent. */
  clear: () => void;
}

interface Typed {
  /** Who typed it; null where that was not known yet. */
  owner: Owner | null;
  text: string;
  /** As it was read: written again after a logout it would be back. */
  isKept: boolean;
}

/**
 * The text in the composer, kept per person and conversation over reloads, logins and visits elsewhere. When the page
 * shows another person, it is theirs at once.
 */
export function useDraft(conversation: ConversationKey): Draft {
  const owner = usePageOwner();
  const [typed, setTyped] = useState<Typed>(() => ({ owner, text: readDraft(owner, conversation), isKept: true }));
  const unsaved = useRef<() => void>(undefined);
  const idea = useRef('');
  const handed = useComposerStore((state) => state.text);

  useEffect(() => {
    if (handed === null) return;
    useComposerStore.setState({ text: null });
    const { value, isIdea } = handed;
    const last = idea.current;
    if (isIdea) idea.current = value;
    setTyped(({ owner, text }) => {
      const typed = isIdea && text.endsWith(last) ? text.slice(0, text.length - last.length).trimEnd() : text;
      return { owner, text: isIdea ? joinTexts(typed, value) : joinTexts(value, typed), isKept: false };
    });
  }, [handed]);

  const save = useCallback(() => {
    unsaved.current?.();
    unsaved.current = undefined;
  }, []);

  useEffect(() => {
    unsaved.current = typed.isKept ? undefined : () => writeDraft(typed.owner, conversation, typed.text);
    const timer = setTimeout(save, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [conversation, typed, save]);

  // Before the next person sees the page.
  useLayoutEffect(() => {
    if (typed.owner === owner) return;
    save();
    const early = typed.owner === null ? typed.text : '';
    setTyped({ owner, text: joinTexts(readDraft(owner, conversation), early), isKept: early === '' });
  }, [owner, conversation, typed, save]);

  useEffect(() => {
    const stop = onOwnerLeft(() => (unsaved.current = undefined));
    window.addEventListener('pagehide', save);
    return () => {
      stop();
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  const setText = (text: string) => setTyped({ ...typed, text, isKept: false });
  const clear = () => {
    setText('');
    unsaved.current = undefined;
    // At once: by its ack the conversation may have another name, and the old draft would stay.
    writeDraft(typed.owner, conversation, '');
  };
  return { text: typed.text, setText, clear };
}
