import { API_LIMITS, type ResponseItem } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import { errorIn } from './public-api-harness.js';
import { RESPONSE_TOOLS, RESPONSES, type ResponsesHarness, startResponsesHarness } from './responses-harness.js';

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

  it('may be named by their ids, in the stored responses of the caller alone', async () => {
    harness.upstream.script({
      steps: [
        { text: 'And Bogor: ' },
        { call: { index: 0, id: 'call_a', name: 'get_weather', args: '{"city":"Bogor"}' } },
        { finish: 'tool_calls' },
        { done: true },
      ],
    });
    const named = await harness.respondTo({ input: 'weather?', tools: RESPONSE_TOOLS });
    const references = named.output.map(({ id }) => ({ type: 'item_reference', id }));
    expect(references).toHaveLength(2);
    const input = [{ role: 'user', content: 'weather?' }, ...references, outputs[0]];
    const answer = await harness.respondTo({ input });
    const call = { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bogor"}' } };
    expect(harness.sentMessages()).toEqual([
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: 'And Bogor: ', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
    ]);
    await harness.respondTo({ input: 'and now?', previous_response_id: answer.id });
    expect(harness.sentMessages()).toMatchObject([{}, { tool_calls: [{ id: 'call_a' }] }, {}, {}, {}]);
    const other = await harness.caller();
    const foreign = await harness.post(other.key, { input }, {}, RESPONSES);
    expect([foreign.status, errorIn(foreign.body)]).toMatchObject([404, { code: 'not_found', param: 'input.1.id' }]);
    const unstored = await harness.respondTo({ input: 'x', store: false });
    for (const id of [unstored.output[0]!.id, `${references[1]!.id}9`, 'rs_1', 'msg_', 7, undefined]) {
      const unknown = await harness.respond({
        input: [
          { role: 'user', content: 'x' },
          { type: 'item_reference', id },
        ],
      });
      expect([unknown.status, errorIn(unknown.body).param]).toEqual([404, 'input.1.id']);
    }
  });

  it('may have images as results, which follow the results in a message of the user', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const image = { type: 'input_image', image_url: url, detail: 'original' };
    const results = [
      { type: 'function_call_output', call_id: 'call_a', output: [image, { type: 'input_text', text: 'rain' }] },
      { type: 'reasoning', summary: [] },
      { role: 'system', content: '' },
      { type: 'function_call_output', call_id: 'call_b', output: [] },
    ];
    const question = { role: 'user', content: 'weather?' };
    const sent = [
      ...continued.slice(0, 3),
      { role: 'tool', tool_call_id: 'call_b', content: '' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'original' } }] },
    ];
    const { id } = await harness.respondTo({ input: [question, ...output, ...results] });
    expect(harness.sentMessages()).toMatchObject(sent);
    await harness.respondTo({ input: 'and now?', previous_response_id: id });
    expect(harness.sentMessages()).toMatchObject([...sent, { role: 'assistant' }, { role: 'user' }]);
    const refused = await harness.respond({
      input: [
        question,
        ...output,
        { type: 'function_call_output', call_id: 'call_a', output: [{ ...image, image_url: 'x' }] },
      ],
    });
    expect([refused.status, errorIn(refused.body).param]).toEqual([400, 'input.4.output.0.image_url']);
  });

  it('are counted without reasoning', async () => {
    const items = Array.from({ length: API_LIMITS.messages }, () => ({ role: 'user', content: 'x' }));
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
    expect((await harness.respond({ input: [...items, reasoning] })).status).toBe(200);
    expect(harness.sentMessages()).toHaveLength(API_LIMITS.messages);
    const beyond = await harness.respond({ input: [...items, items[0]] });
    expect([beyond.status, errorIn(beyond.body).param]).toEqual([400, 'input']);
  });

  it('are refused without the results of their calls, and results without their calls', async () => {
    for (const input of [output, [...output, outputs[0]], [...output, { role: 'user', content: 'x' }], outputs]) {
      const answer = await harness.respond({ input });
      expect([answer.status, errorIn(answer.body).param]).toEqual([400, 'input']);
    }
  });
});
