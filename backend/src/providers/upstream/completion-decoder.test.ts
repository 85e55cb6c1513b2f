import type { ProviderEvent } from '../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

const delta = (fields: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: fields, finish_reason: finish }] })}\n\n`;

const STREAM = [
  ': warming up\r\n\r\n',
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning: 'Hm. ' }),
  delta({ content: 'Añjali ' }),
  delta({ content: '🙏 日本語' }),
  delta({}, 'stop'),
  'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}\n\n',
  'data: [DONE]\n\n',
].join('');

const ANSWER: ProviderEvent[] = [
  { type: 'reasoning-delta', text: 'Hm. ' },
  { type: 'text-delta', text: 'Añjali 🙏 日本語' },
  { type: 'usage', promptTokens: 7, completionTokens: 9 },
  { type: 'finish', reason: 'stop' },
];

/** Neighbours of a kind joined, as a reader would see them. */
function joined(events: ProviderEvent[]): ProviderEvent[] {
  const all: ProviderEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (last && 'text' in last && 'text' in event && last.type === event.type) last.text += event.text;
    else all.push({ ...event });
  }
  return all;
}

function decode(parts: Buffer[]): { events: ProviderEvent[]; decoder: CompletionDecoder } {
  const decoder = new CompletionDecoder();
  const events = parts.flatMap((part) => decoder.push(part));
  return { events: [...events, ...decoder.end()], decoder };
}

it('reads the same answer wherever the bytes are cut', () => {
  const bytes = Buffer.from(STREAM);
  for (let at = 0; at <= bytes.length; at += 1) {
    const { events, decoder } = decode([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(joined(events)).toEqual(ANSWER);
    expect(decoder.failure).toBeNull();
  }
});

it('sends a thought once that came under both names', () => {
  const { events } = decode([
    Buffer.from(delta({ reasoning: 'a', reasoning_content: 'a' })),
    Buffer.from('data: [DONE]\n\n'),
  ]);
  expect(events).toEqual([
    { type: 'reasoning-delta', text: 'a' },
    { type: 'finish', reason: 'stop' },
  ]);
});

it('reads nothing after [DONE]', () => {
  const { events, decoder } = decode([Buffer.from(`${STREAM}${delta({ content: 'late' })}`), Buffer.from('garbage')]);
  expect(joined(events)).toEqual(ANSWER);
  expect(decoder.done).toBe(true);
});

it('keeps what came before an error event and sets its failure', () => {
  const { events, decoder } = decode([Buffer.from(`${delta({ content: 'half' })}data: {"error":{"code":429}}\n\n`)]);
  expect(events).toEqual([{ type: 'text-delta', text: 'half' }]);
  expect(decoder.failure).toMatchObject({ code: 'provider_busy', interrupted: false });
});

it('takes only whole numbers for usage', () => {
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":"7","completion_tokens":-1}}\n\n';
  const { events } = decode([Buffer.from(`${delta({ content: 'x' }, 'stop')}${usage}data: [DONE]\n\n`)]);
  expect(events.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
});

it.each([
  ['tool_calls', 'stop'],
  ['length', 'length'],
  ['something new', 'stop'],
])('takes the finish reason %s for %s', (reason, expected) => {
  const { events } = decode([Buffer.from(delta({ content: 'x' }, reason))]);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: expected });
});

it('gives up an event that has no end', () => {
  const decoder = new CompletionDecoder();
  const part = Buffer.alloc(1024 * 1024, 'x');
  decoder.push(Buffer.from('data: '));
  for (let count = 0; count < 20; count += 1) decoder.push(part);
  expect(decoder.failure).toMatchObject({ code: 'provider_error' });
});
