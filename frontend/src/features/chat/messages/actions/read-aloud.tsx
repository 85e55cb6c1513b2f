import { chakra } from '@chakra-ui/react';
import { useRouter } from '@tanstack/react-router';
import { Pause, Play, Square, Volume2 } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { t } from '../../../../app/i18n/translate';
import { ActionButton } from '../../../../components/buttons/action-button';
import { pauseReading, resumeReading, startReading, stopReading, useSpeech } from './speech';

/** Whether the browser has a voice. Chrome loads its voices late. */
function useHasVoices(): boolean {
  return useSyncExternalStore(onVoicesChanged, () => speechSynthesis.getVoices().length > 0);
}

function onVoicesChanged(listener: () => void): () => void {
  speechSynthesis.addEventListener('voiceschanged', listener);
  return () => speechSynthesis.removeEventListener('voiceschanged', listener);
}

/** The texts of an answer in the page, found by its button here. */
function textsOf(messageId: number): Element[] {
  const article = document.querySelector(`[data-speech="${messageId}"]`)?.closest('article');
  return [...(article?.querySelectorAll('.answer-text') ?? [])];
}

/** The buttons that read an answer aloud. A change of the address ends the voice. */
export default function ReadAloud({ messageId }: { messageId: number }) {
  const hasVoices = useHasVoices();
  const isRead = useSpeech((speech) => speech.messageId === messageId);
  const isPaused = useSpeech((speech) => speech.isPaused);
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && stopReading()), [router]);

  if (!hasVoices) return null;
  const start = () => startReading(messageId, () => textsOf(messageId));
  if (!isRead) {
    return (
      <chakra.span display="contents" data-speech={messageId}>
        <ActionButton label={t('speech.read')} onClick={start}>
          <Volume2 size={14} />
        </ActionButton>
      </chakra.span>
    );
  }
  return (
    <chakra.span display="contents" data-speech={messageId} data-speaking="">
      <ActionButton
        label={isPaused ? t('speech.resume') : t('speech.pause')}
        onClick={isPaused ? resumeReading : pauseReading}
      >
        {isPaused ? <Play size={14} /> : <Pause size={14} />}
      </ActionButton>
      <ActionButton label={t('speech.stop')} onClick={stopReading}>
        <Square size={12} />
      </ActionButton>
    </chakra.span>
  );
}
