import { PREVIEW_PATH } from '@tanya/contract';
import { useRef } from 'react';
import { t } from '../../../app/i18n/translate';

interface PreviewFrameProps {
  /** The document to show, fixed for the life of the frame. */
  text: string;
  onEscape: () => void;
}

/**
 * Shows a document that nobody trusts. Its frame has an origin of its own and may run scripts, but neither load nor send
 * anything, nor reach this page; the text goes in through a port, so that no address contains it.
 */
export function PreviewFrame({ text, onEscape }: PreviewFrameProps) {
  const isSent = useRef(false);
  const send = (frame: HTMLIFrameElement) => {
    // A document that was written, or has navigated itself, loads again.
    if (isSent.current) return;
    isSent.current = true;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (data !== 'close') return;
      port1.close();
      onEscape();
    };
    // The origin of the frame is opaque and has no name.
    frame.contentWindow?.postMessage('', '*', [port2]);
    port1.postMessage(text);
  };
  return (
    <iframe
      src={PREVIEW_PATH}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      title={t('preview.title')}
      onLoad={({ currentTarget }) => send(currentTarget)}
    />
  );
}
