import { expectAccessible } from '../accessibility.js';
import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream' });

const ANSWER = [
  '# Soup',
  '',
  'Chop the **onion**. Fry it.',
  '',
  '```js',
  'cook();',
  '```',
  '',
  'Serve the soup to all.',
];

const ANSWER_STEPS = [{ text: ANSWER.join('\n') }, { finish: 'stop' as const }, { done: true as const }];

interface Voice {
  spoken: string[];
  languages: string[];
  /** Ends the current utterance. */
  end: () => void;
  isSpeaking: () => boolean;
}

type WithVoice = Window & { voice: Voice };

const spoken = (page: Page) => page.evaluate(() => (window as unknown as WithVoice).voice.spoken);
const isSpeaking = (page: Page) => page.evaluate(() => (window as unknown as WithVoice).voice.isSpeaking());
const endSentence = (page: Page) => page.evaluate(() => (window as unknown as WithVoice).voice.end());

/** The marked text of the page. */
const marked = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('spoken-sentence') ?? [])].map((range) => (range as Range).toString()));

test('an answer is read sentence by sentence, paused and stopped', async ({ chat, member, page, upstream }) => {
  await page.addInitScript(installVoice);
  await chat.signIn(member);
  await chat.open();
  upstream.script({ on: 'chat', steps: ANSWER_STEPS });
  await chat.send('A recipe, please');
  await chat.answerEnds();
  const answer = chat.newestAnswer;
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await expect(answer.getByRole('button', { name: 'Pause reading' })).toBeFocused();
  expect(await spoken(page)).toEqual(['Soup']);
  expect(await page.evaluate(() => (window as unknown as WithVoice).voice.languages)).toEqual(['en']);
  expect(await marked(page)).toEqual(['Soup']);
  await endSentence(page);
  expect(await marked(page)).toEqual(['Chop the onion.']);
  await expectAccessible(page, 'an answer that is read aloud');

  await answer.getByRole('button', { name: 'Pause reading' }).click();
  expect(await isSpeaking(page)).toBe(false);
  await answer.getByRole('button', { name: 'Go on reading' }).click();
  await endSentence(page);
  await endSentence(page);
  await endSentence(page);
  expect(await spoken(page)).toEqual([
    'Soup',
    'Chop the onion.',
    'Chop the onion.',
    'Fry it.',
    'Code is left out.',
    'Serve the soup to all.',
  ]);
  await endSentence(page);
  await expect(answer.getByRole('button', { name: 'Read aloud' })).toBeVisible();
  expect(await marked(page)).toEqual([]);

  await answer.getByRole('button', { name: 'Read aloud' }).click();
  await answer.getByRole('button', { name: 'Stop reading' }).click();
  expect(await isSpeaking(page)).toBe(false);
});

test('leaving the chat ends the voice, and without voices there is no button', async ({
  chat,
  member,
  page,
  other,
}) => {
  await page.addInitScript(installVoice);
  await chat.signIn(member);
  await chat.open();
  await chat.send('Hello [[words=5]]');
  await chat.answerEnds();
  await chat.newestAnswer.getByRole('button', { name: 'Read aloud' }).click();
  expect(await isSpeaking(page)).toBe(true);
  await page
    .getByRole('link', { name: 'New chat' })
    .or(page.getByRole('button', { name: 'New chat' }))
    .first()
    .click();
  await expect.poll(() => isSpeaking(page)).toBe(false);

  await other.chat.open();
  await other.chat.send('Hello [[words=5]]');
  await other.chat.answerEnds();
  await expect(other.chat.newestAnswer.getByRole('button', { name: 'Copy message' })).toBeVisible();
  await expect(other.chat.newestAnswer.getByRole('button', { name: 'Read aloud' })).toBeHidden();
});

/** Runs in the page. A browser without sound has no voices, so one is put in its place. */
function installVoice(): void {
  let current: SpeechSynthesisUtterance | null = null;
  const voice: Voice = {
    spoken: [],
    languages: [],
    isSpeaking: () => current !== null,
    end: () => {
      const ended = current;
      current = null;
      ended?.onend?.(new Event('end') as SpeechSynthesisEvent);
    },
  };
  Object.assign(window, { voice });
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => [{ lang: 'en-US', default: true, localService: true, name: 'Test' }],
    speak: (utterance: SpeechSynthesisUtterance) => {
      current = utterance;
      voice.spoken.push(utterance.text);
      if (voice.languages.length === 0) voice.languages.push(utterance.lang);
    },
    cancel: () => {
      const cancelled = current;
      current = null;
      setTimeout(() => void cancelled?.onerror?.(new Event('error') as SpeechSynthesisErrorEvent));
    },
  });
  Object.defineProperty(window, 'speechSynthesis', { value: synthesis });
  // The real class takes the real voices alone.
  class Utterance {
    lang = '';
    voice: unknown = null;
    constructor(readonly text: string) {}
  }
  Object.assign(window, { SpeechSynthesisUtterance: Utterance });
}
