import fc from 'fast-check';
import { eventStreams } from '../../../../test/fuzz/event-streams.js';
import { FUZZ_SEED, FUZZ_TIMEOUT_MS, fuzzRuns } from '../../../../test/fuzz/mutated-json.js';
import type { ProviderEvent } from '../../provider.js';
import { ReasoningTags } from '../dialect/reasoning-tags.js';
import { CompletionDecoder } from './completion-decoder.js';

const STREAMS = fuzzRuns(4_000);

/** What an event says of the answer. */
type Kind = 'text' | 'end' | 'length' | 'done' | 'failed' | 'nothing';

const json = (value: unknown): string => `data: ${JSON.stringify(value)}`;
const chunk = (delta: object, finish_reason: unknown = null, more: object = {}): string =>
  json({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more });
const call = (args: string): string =>
  chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'add', arguments: args } }] });

const EVENTS: readonly (readonly [Kind, string])[] = [
  ['text', chunk({ content: 'Hello "wörld" 🙏\n' })],
  ['text', chunk({ content: 'Hello' })],
  ['text', chunk({ content: ' again' })],
  ['text', chunk({ content: '<think>\n' })],
  ['text', chunk({ content: '\n</think>' })],
  ['text', chunk({ reasoning: 'Hm.' })],
  ['text', chunk({ content: [{ type: 'text', text: 'part' }] })],
  ['text', json({ choices: [{ index: 0, message: { content: 'whole' } }] })],
  ['text', chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] })],
  ['text', chunk({ function_call: { name: 'add', arguments: '{}' } })],
  ['text', '{"choices":[{"delta":{"content":"no field"}}]}'],
  ['text', 'data: data: {"choices":[{"delta":{"content":"\t"},"logprobs":NaN}]}'],
  ['text', call('{}')],
  ['text', call('{"a":1}')],
  ['end', chunk({}, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 2 } })],
  ['end', chunk({}, 'tool_calls')],
  ['length', chunk({}, 'max_tokens')],
  ['done', 'data: [DONE]'],
  ['failed', chunk({}, 'content_filter')],
  ['failed', chunk({}, 'network_error')],
  ['failed', json({ error: { message: 'x', code: 500 } })],
  ['failed', json({ detail: 'engine died' })],
  ['failed', 'data: [ERROR] engine died'],
  ['failed', '<html>'],
  ['failed', 'event: error\ndata: {"message":"x"}'],
  ['nothing', ': keep-alive'],
  ['nothing', json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })],
  ['nothing', json({ choices: null, usage: 7, model: {} })],
  ['nothing', json({ choices: [null, 3, { delta: 5, message: 'x', finish_reason: null }] })],
  ['nothing', json({ choices: [{ index: 0, delta: { content: 7, tool_calls: [null, { function: 5 }] } }] })],
  ['nothing', 'data: {"choices":[{"delta":{"content":"cut'],
  ['nothing', 'data: [1,[2,[3]]]'],
  ['nothing', 'data: null'],
  ['nothing', 'id: 7\nretry: 5'],
];

/** Whether the events before the end of the answer allow it to be sold as whole. */
function mayBeWhole(kinds: readonly Kind[]): boolean {
  const done = kinds.indexOf('done');
  const read = done === -1 ? kinds : kinds.slice(0, done);
  if (read.includes('failed')) return false;
  return read.includes('end') || read.includes('length') || (done !== -1 && read.includes('text'));
}

it(
  `sells no answer as whole that is not, in ${STREAMS} streams`,
  () => {
    fc.assert(
      fc.property(eventStreams(EVENTS), ({ pieces, arrived }) => {
        const decoder = new CompletionDecoder();
        const read: ProviderEvent[] = pieces.flatMap((piece) => decoder.push(piece));
        read.push(...decoder.end());

        const finishes = read.filter(({ type }) => type === 'finish').length;
        expect(new ReasoningTags().push(read).filter(({ type }) => type === 'finish')).toHaveLength(finishes);
        expect([finishes, decoder.failure === null]).toEqual(finishes === 1 ? [1, true] : [0, false]);
        if (!mayBeWhole(arrived)) expect(finishes).toBe(0);
      }),
      { seed: FUZZ_SEED, numRuns: STREAMS },
    );
  },
  FUZZ_TIMEOUT_MS,
);

it('throws for no bytes at all', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...EVENTS.map(([, text]) => Buffer.from(text))),
    fc
      .constantFrom('\n', '\r', '\n\n', 'data:', 'data: {', '}', '[DONE]', 'error: ', '\0')
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const decoder = new CompletionDecoder();
      for (const bytes of pieces) decoder.push(bytes);
      decoder.end();
    }),
    { seed: FUZZ_SEED, numRuns: 2_000 },
  );
});
