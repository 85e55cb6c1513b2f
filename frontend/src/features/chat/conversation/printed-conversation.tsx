import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { isKey } from '../../../app/browser/is-key';
import { pageTitle } from '../../../app/browser/page-title';
import { whenIdle } from '../../../app/browser/when-idle';
import { onPrint } from '../../../app/theme/light-paper';
import { FixedColorMode } from '../../../app/theme/shown-color-mode';
import { onCommand } from '../../../app/state/commands';
import { showFailure } from '../../../components/feedback/fail';
import type { ConversationItem } from '../messages/conversation-view';
import { Row } from '../messages/message-list';
import { loadWholeThread } from '../shared/load-whole-thread';

/** Bound of the wait for colours and diagrams, ms. */
const DRAW_TIMEOUT_MS = 10_000;

/**
 * The conversation on paper: all messages in the flow of the page, without the app around them (print.css). It is
 * mounted only for printing, because the list on the screen mounts the rows near the screen.
 */
export function PrintedConversation({ items }: { items: ConversationItem[] }) {
  const isMounted = useIsPrinting(threadIdOf(items));
  if (!isMounted) return null;
  return createPortal(
    <FixedColorMode value="light">
      <div className="printed-conversation">
        <h1>{pageTitle()}</h1>
        {items.map((item) => (
          <Row key={item.key} item={item} isNewest={false} />
        ))}
      </div>
    </FixedColorMode>,
    document.body,
  );
}

/** True from the print command, or from the browser's own one, until the page has printed. */
function useIsPrinting(threadId: number | null): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    let isPreparing = false;
    let isActive = true;
    const print = async () => {
      if (!(await loadMessages(threadId)) || !isActive) return;
      setPrinting(true);
      await rowsDrawn();
      // Another conversation may be open by now.
      if (isActive) window.print();
      else setPrinting(false);
    };
    const unsubscribe = onPrintCommand(() => {
      if (isPreparing) return;
      isPreparing = true;
      void print().finally(() => (isPreparing = false));
    });
    return () => {
      isActive = false;
      unsubscribe();
    };
  }, [threadId]);
  useEffect(
    () =>
      onPrint(
        // Synchronous: the browser prints the document as it is after the event.
        () => flushSync(() => setPrinting(true)),
        () => setPrinting(false),
      ),
    [],
  );
  return isPrinting;
}

/** Subscribes to the print command and to Ctrl+P. The browser's own command waits for neither messages nor diagrams. */
function onPrintCommand(print: () => void): () => void {
  const handleKey = (event: KeyboardEvent) => {
    const { ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!(ctrlKey || metaKey) || shiftKey || altKey || !isKey(event, 'p')) return;
    event.preventDefault();
    print();
  };
  window.addEventListener('keydown', handleKey);
  const unsubscribe = onCommand('print', print);
  return () => {
    window.removeEventListener('keydown', handleKey);
    unsubscribe();
  };
}

/** Returns false when the messages of the thread could not be loaded. */
async function loadMessages(threadId: number | null): Promise<boolean> {
  try {
    if (threadId !== null) await loadWholeThread(threadId);
    return true;
  } catch (error) {
    showFailure('export.printFailed', error);
    return false;
  }
}

/** Waits until the page is idle, which renders the rows and colours their code, and until the diagrams are drawn. */
async function rowsDrawn(): Promise<void> {
  const deadline = Date.now() + DRAW_TIMEOUT_MS;
  await new Promise<void>((resolve) => whenIdle(resolve, 1_000));
  while (document.querySelector('.printed-conversation [aria-busy=true]') && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

function threadIdOf(items: ConversationItem[]): number | null {
  const item = items.find(({ kind }) => kind === 'message');
  return item?.kind === 'message' ? item.message.threadId : null;
}
