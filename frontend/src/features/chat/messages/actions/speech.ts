import { create } from 'zustand';
import { t } from '../../../../app/i18n/translate';
import { onOwnerChanged } from '../../../../app/session/page-owner';
import { onConversationBegun } from '../../../../app/state/conversation';
import { GUEST } from '../../../../app/storage/owner';
import { notify } from '../../../../components/feedback/notify';
import { guessLanguage } from './guess-language';
import { type Sentence, sentencesIn } from './spoken-sentences';

/** Name of the highlight in `::highlight()`. */
const MARK = 'spoken-sentence';

interface Speech {
  /** The message that is read; null while the page is silent. */
  messageId: number | null;
  isPaused: boolean;
}

const SILENCE: Speech = { messageId: null, isPaused: false };

/** What the page reads aloud: one answer at a time, since browsers have one voice. */
export const useSpeech = create<Speech>()(() => SILENCE);

interface Reading {
  /** The parts of the answer in the page, which may render anew while it is read. */
  elements: () => Element[];
  language: string;
  sentences: Sentence[];
  at: number;
  /** Kept: Chrome would collect it and never report its end. */
  utterance?: SpeechSynthesisUtterance;
}

let reading: Reading | null = null;

const words = () => ({ code: t('speech.code'), formula: t('speech.formula') });

/** Reads an answer from its beginning, in place of one that is read now. */
export function startReading(messageId: number, elements: () => Element[]): void {
  stopReading();
  const text = elements().reduce((all, element) => all + (element.textContent ?? ''), '');
  const language = guessLanguage(text, document.documentElement.lang.split('-')[0]!);
  const sentences = sentencesIn(elements(), language, words());
  if (sentences.length === 0) return;
  reading = { elements, language, sentences, at: 0 };
  useSpeech.setState({ messageId, isPaused: false });
  speak(reading);
}

/** Ends the voice within the sentence. It is repeated later, because phones cannot resume one. */
export function pauseReading(): void {
  useSpeech.setState({ isPaused: true });
  silence();
}

export function resumeReading(): void {
  if (reading === null) return;
  useSpeech.setState({ isPaused: false });
  speak(reading);
}

export function stopReading(): void {
  if (reading === null) return;
  reading = null;
  silence();
  mark(undefined);
  useSpeech.setState(SILENCE);
}

// Also at the end of a session in another tab. A login keeps the conversation of the guest.
onOwnerChanged((before) => before !== null && before !== GUEST && stopReading());
// New chat of a guest keeps the address.
onConversationBegun(stopReading);
window.addEventListener('pagehide', stopReading);

function silence(): void {
  if (reading) reading.utterance = undefined;
  speechSynthesis.cancel();
}

function speak(current: Reading): void {
  const sentence = current.sentences[current.at];
  if (sentence === undefined) return stopReading();
  const utterance = new SpeechSynthesisUtterance(sentence.text);
  utterance.lang = current.language;
  utterance.voice = voiceFor(current.language);
  current.utterance = utterance;
  // A cancelled utterance ends or fails later; it is not the current one then.
  const isCurrent = () => reading === current && current.utterance === utterance;
  utterance.onend = () => {
    if (!isCurrent()) return;
    current.at += 1;
    speak(current);
  };
  utterance.onerror = () => {
    if (!isCurrent()) return;
    stopReading();
    notify({ title: t('speech.failed'), kind: 'error' });
  };
  mark(rangeOf(current));
  speechSynthesis.speak(utterance);
}

/** A voice of this device before one of a server; null leaves the choice to the browser. */
function voiceFor(language: string): SpeechSynthesisVoice | null {
  const voices = speechSynthesis.getVoices().filter(({ lang }) => lang.split(/[-_]/)[0]!.toLowerCase() === language);
  return voices.find((voice) => voice.default) ?? voices.find((voice) => voice.localService) ?? voices[0] ?? null;
}

/** The place of the current sentence, also after its message has left the screen and come back. */
function rangeOf(current: Reading): Range | undefined {
  const known = current.sentences[current.at]?.range;
  if (known === undefined || known.startContainer.isConnected) return known;
  const fresh = sentencesIn(current.elements(), current.language, words());
  if (fresh.length !== current.sentences.length) return undefined;
  current.sentences = fresh;
  return fresh[current.at]?.range;
}

function mark(range: Range | undefined): void {
  if (typeof Highlight === 'undefined') return;
  if (range === undefined) CSS.highlights.delete(MARK);
  else CSS.highlights.set(MARK, new Highlight(range));
}
