import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { t } from '../../../app/i18n/translate';
import { errorText } from '../../../app/api/api-error';
import { whenIdle } from '../../../app/browser/when-idle';
import { onCommand } from '../../../app/state/commands';
import { notify } from '../../../components/feedback/notify';
import type { ConversationItem } from '../messages/conversation-view';
import { Row } from '../messages/message-list';
import { loadWholeThread } from '../shared/load-whole-thread';

/** Bound of the wait for colours and diagrams of messages that were not on the screen. */
const DRAW_TIMEOUT_MS = 1_000;

interface PrintedConversationProps {
  items: ConversationItem[];
  /** Whether older messages are not loaded. */
  hasOlder: boolean;
}

/**
 * The conversation on paper: all messages in the flow of the page, without the app around them (print.css). It is
 * mounted only while the page prints, because the list on the screen mounts the rows near the screen.
 */
export function PrintedConversation({ items, hasOlder }: PrintedConversationProps) {
  const isPrinting = useIsPrinting();
  usePrintCommand(threadIdOf(items), hasOlder);
  if (!isPrinting) return null;
  return createPortal(
    <div className="printed-conversation">
      <h1>{document.title}</h1>
      {items.map((item) => (
        <Row key={item.key} item={item} isNewest={false} />
      ))}
    </div>,
    document.body,
  );
}

/** True between `beforeprint` and `afterprint`. The light colours are set meanwhile: paper is white. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const root = document.documentElement;
    let isDark = false;
    const begin = () => {
      isDark = root.classList.contains('dark');
      if (isDark) root.classList.replace('dark', 'light');
      // Synchronous: the browser prints the document as it is after the event.
      flushSync(() => setPrinting(true));
    };
    const end = () => {
      if (isDark) root.classList.replace('light', 'dark');
      setPrinting(false);
    };
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/** Binds the print command and Ctrl+P. The browser's own print command cannot wait for messages that are not loaded. */
function usePrintCommand(threadId: number | null, hasOlder: boolean): void {
  useEffect(() => {
    const print = () => void printThread(threadId);
    const handleKey = (event: KeyboardEvent) => {
      const isPrint =
        event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isPrint || !hasOlder) return;
      event.preventDefault();
      print();
    };
    window.addEventListener('keydown', handleKey);
    const unsubscribe = onCommand('print', print);
    return () => {
      window.removeEventListener('keydown', handleKey);
      unsubscribe();
    };
  }, [threadId, hasOlder]);
}

async function printThread(threadId: number | null): Promise<void> {
  try {
    if (threadId !== null) await loadWholeThread(threadId);
  } catch (error) {
    return notify({ title: t('export.printFailed'), description: errorText(error), kind: 'error' });
  }
  // The list has rendered the loaded messages by then.
  whenIdle(() => window.print(), DRAW_TIMEOUT_MS);
}

function threadIdOf(items: ConversationItem[]): number | null {
  const item = items.find(({ kind }) => kind === 'message');
  return item?.kind === 'message' ? item.message.threadId : null;
}
