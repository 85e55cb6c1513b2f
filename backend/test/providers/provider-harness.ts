import type { AdaptationMemory } from '../../src/providers/upstream/adaptation-memory.js';
import { OpenAiCompatibleProvider } from '../../src/providers/upstream/openai-compatible.provider.js';
import type { ProviderTimings } from '../../src/providers/provider.js';
import { ProviderError } from '../../src/providers/provider-error.js';
import { collectAnswer, requestOf, TEST_TIMINGS, type CollectedAnswer } from '../harness/collect-answer.js';
import type { Script, Step } from '../harness/scripted-answers.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

/** A text with characters of one to four bytes. */
export const TEXT = 'Añjali 🙏 dan 日本語 — déjà vu 👩‍👩‍👧';
export const WHOLE: Step[] = [...[...TEXT].map((text) => ({ text })), { finish: 'stop' }, { done: true }];
export const tokens = (count: number): Step[] => Array.from({ length: count }, (_, index) => ({ text: `${index} ` }));

/** One upstream and one provider for each test of a file that imports this module. */
export let upstream: ScriptedUpstream;
export let provider: OpenAiCompatibleProvider;
beforeEach(async () => {
  upstream = await startUpstream();
  provider = connect(upstream.url);
});
afterEach(async () => {
  await upstream.close();
  await provider.close();
});

export function connect(
  baseUrl: string,
  shortened: Partial<ProviderTimings> = {},
  memory?: AdaptationMemory,
): OpenAiCompatibleProvider {
  const timings = { ...TEST_TIMINGS, ...shortened };
  return new OpenAiCompatibleProvider({
    name: 'openai',
    baseUrl,
    mayBePrivate: true,
    apiKey: 'sk-secret-key',
    timings,
    memory,
  });
}

export function answerTo(...scripts: Script[]): Promise<CollectedAnswer> {
  upstream.script(...scripts);
  return collectAnswer(provider, requestOf('Hi'));
}

/** Replaces the provider of the test by one with shorter timeouts. */
export async function shorten(timings: Partial<ProviderTimings>): Promise<void> {
  await provider.close();
  provider = connect(upstream.url, timings);
}

/** Reads an answer whose next step waits until `text` has arrived. */
export async function answerAfter(
  text: string,
  scriptOf: (arrival: Promise<void>) => Script,
): Promise<CollectedAnswer> {
  let arrive = (): void => {};
  upstream.script(scriptOf(new Promise((resolve) => (arrive = resolve))));
  let read = '';
  return collectAnswer(provider, requestOf('Hi'), undefined, (batch) => {
    for (const event of batch) if (event.type === 'text-delta') read += event.text;
    if (read === text) arrive();
  });
}

/** Expects a ProviderError that holds no text, address or key of the upstream. */
export function expectFailure(answer: CollectedAnswer, expected: Partial<ProviderError>): void {
  expect(answer.error).toBeInstanceOf(ProviderError);
  expect(answer.error).toMatchObject(expected);
  expect(`${JSON.stringify(answer.error)} ${String(answer.error)}`).not.toMatch(
    /sk-secret|127\.0\.0\.1|scripted|<html/,
  );
  expect(answer.events.some(({ type }) => type === 'finish')).toBe(false);
}
