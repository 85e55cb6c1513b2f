import type { ResponseItem } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import { errorIn } from './public-api-harness.js';
import { type ResponsesHarness, startResponsesHarness } from './responses-harness.js';

describe.each(ADAPTERS)('items of a response as the next input, %s', (_name, redis) => {
  let harness: ResponsesHarness;

  beforeAll(async () => {
    harness = await startResponsesHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const callItem = (id: string, city: string): ResponseItem => ({
    id: `fc_${id}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name: 'get_weather',
    arguments: JSON.stringify({ city }),
  });

  /** The output of a stream that called, wrote, and called again. */
  const output: ResponseItem[] = [
    callItem('call_a', 'Jakarta'),
    {
      id: 'msg_1',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'And Bogor: ', annotations: [], logprobs: [] }],
    },
    callItem('call_b', 'Bogor'),
  ];

  const outputs = ['call_a', 'call_b'].map((id) => ({ type: 'function_call_output', call_id: id, output: 'rain' }));

  const continued = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: 'And Bogor: ', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
    { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
    { role: 'tool', tool_call_id: 'call_b', content: 'rain' },
  ];

  it('are accepted in the order of a stream, with a message between calls and their results', async () => {
    await harness.respondTo({ input: [{ role: 'user', content: 'weather?' }, ...output, ...outputs] });
    expect(harness.sentMessages()).toMatchObject(continued);
  });

  it('are refused without the results of their calls, and results without their calls', async () => {
    for (const input of [output, [...output, outputs[0]], [...output, { role: 'user', content: 'x' }], outputs]) {
      const answer = await harness.respond({ input });
      expect([answer.status, errorIn(answer.body).param]).toEqual([400, 'input']);
    }
  });
});
