import type { ProviderEvent, ProviderMessage } from '../provider.js';
import { DemoProvider } from './demo.provider.js';

const tool = (name: string) => ({ name, description: '', parameters: {} });

async function streamed(messages: ProviderMessage[], tools = [tool('calculate'), tool('current_time')]) {
  const events: ProviderEvent[] = [];
  const provider = new DemoProvider({ pace: Infinity });
  await provider.stream({ model: 'demo', messages, tools }, new AbortController().signal, (batch) =>
    events.push(...batch),
  );
  return events;
}

const question = (content: string): ProviderMessage => ({ role: 'user', content });

it.each([
  ['What is (12 + 30) * 2?', 'calculate', { expression: '(12 + 30) * 2' }],
  ['What day is it?', 'current_time', {}],
  ['Berapa 2^10?', 'calculate', { expression: '2^10' }],
])('calls the tool for %s', async (text, name, args) => {
  const events = await streamed([question(text)]);
  expect(events.slice(-2)).toEqual([
    { type: 'tool-call', id: null, name, args },
    { type: 'finish', reason: 'tool-calls' },
  ]);
});

it('answers at once without a tool for the question', async () => {
  for (const events of [await streamed([question('hello')]), await streamed([question('What is 1 + 2?')], [])]) {
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  }
});

it('shows the result of the call and says that it is a demo', async () => {
  const events = await streamed([
    question('What is 1 + 2?'),
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'calculate', args: { expression: '1 + 2' } }] },
    { role: 'tool', callId: 'a', content: '3 | <b>' },
  ]);
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  expect(text).toContain('| `calculate` | 3 \\| \\<b> |');
  expect(text).toContain('General Settings');
});

it.each(['required', { name: 'get_weather' }] as const)(
  'calls the tool that a program requires: %j',
  async (toolChoice) => {
    const tools = [{ name: 'get_weather', parameters: { properties: { city: {} }, required: ['city'] } }];
    const events: ProviderEvent[] = [];
    await new DemoProvider({ pace: Infinity }).stream(
      { model: 'demo', messages: [question('Jakarta')], tools, toolChoice },
      new AbortController().signal,
      (batch) => events.push(...batch),
    );
    expect(events.slice(-3)).toEqual([
      { type: 'tool-call-delta', index: 0, start: { id: null, name: 'get_weather' }, json: '{"city":"Jakarta"}' },
      { type: 'tool-call', id: null, name: 'get_weather', args: { city: 'Jakarta' } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  },
);
