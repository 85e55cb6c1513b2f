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

  it.each([[[]], [null], [''], [[{ type: 'output_text', text: '' }]]])(
    'may be an answer without text: %j',
    async (content) => {
      const [first, second] = ['a', 'b'].map((text) => ({ role: 'user', content: text }));
      const input = [first, { type: 'message', role: 'assistant', content }, second];
      await harness.respondTo({ input });
      expect(harness.sentMessages()).toEqual([first, second]);
    },
  );

  it.each([[[]], [null]])('are no question without a content: %j', async (content) => {
    expect((await harness.respond({ input: [{ role: 'user', content }] })).status).toBe(400);
  });

  it('may be pictures as chat completions have them', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    for (const part of [
      { type: 'image_url', image_url: { url, detail: 'low' } },
      { type: 'image_url', image_url: url, detail: 'low' },
      { type: 'input_image', image_url: { url, detail: 'low' } },
      { type: 'input_image', image_url: url, detail: 'low' },
    ]) {
      await harness.respondTo({ input: [{ role: 'user', content: [part] }] });
      const sent = [{ type: 'image_url', image_url: { url, detail: 'low' } }];
      expect(harness.sentMessages()).toEqual([{ role: 'user', content: sent }]);
    }
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
      { type: 'agent_reasoning', text: 'Hm' },
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

  it('may be messages between the agents of the client, which are read where they are no secrets of another server', async () => {
    const message = (content: unknown) => ({ type: 'agent_message', author: '/root', recipient: '/root/a', content });
    const text = (value: string) => ({ type: 'input_text', text: value });
    const encrypted = (value: string) => ({ type: 'encrypted_content', encrypted_content: value });
    const secret = `gAAAAAB${'o_x-'.repeat(20)}==`;
    const contents = ['Done.', [text('Task: '), encrypted('Count the files.')], [text('Task: '), encrypted(secret)]];
    await harness.respondTo({ input: contents.map(message) });
    expect(harness.sentMessages()).toEqual(
      ['Done.', 'Task: Count the files.', 'Task: (This message is encrypted for another server.)'].map((content) => ({
        role: 'user',
        content,
      })),
    );
    for (const [content, param] of [
      [undefined, 'input.1.content'],
      [7, 'input.1.content'],
      [[null], 'input.1.content.0'],
      [[text('x'), encrypted(7 as never)], 'input.1.content.1'],
      [[{ type: 'input_image', image_url: 'x' }], 'input.1.content.0'],
    ] as const) {
      const refused = await harness.respond({ input: [{ role: 'user', content: 'x' }, message(content)] });
      expect([refused.status, errorIn(refused.body).param]).toEqual([400, param]);
    }
  });

  it('are left out where OpenAI ran them, of which the text tells', async () => {
    const items = [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'rain' } },
      { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: [], results: null },
      { type: 'code_interpreter_call', id: 'ci_1', code: '1', container_id: 'c', outputs: null, status: 'completed' },
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' },
      { type: 'mcp_list_tools', id: 'ml_1', server_label: 'docs', tools: [] },
      { type: 'mcp_call', id: 'mc_1', server_label: 'docs', name: 'find', arguments: '{}', output: 'rain' },
    ];
    await harness.respondTo({ input: [continued[0], ...items, { role: 'assistant', content: 'Rain.' }, continued[0]] });
    expect(harness.sentMessages()).toEqual([continued[0], { role: 'assistant', content: 'Rain.' }, continued[0]]);
    expect((await harness.respond({ input: items })).status).toBe(400);
    const unknown = await harness.respond({ input: [{ type: 'other_call', call_id: 'a' }] });
    expect([unknown.status, errorIn(unknown.body).param]).toEqual([400, 'input.0.type']);
  });

  it('change the effort and the form of the answer, the last one first', async () => {
    const update = (more: object) => ({ type: 'configuration_update', ...more });
    const format = { type: 'json_schema', name: 'city', schema: { type: 'object' } };
    const input = [
      { role: 'user', content: 'x' },
      update({ reasoning: { effort: 'low' }, text: { format } }),
      update({ id: 'cu_1', reasoning: { effort: 'high' } }),
    ];
    const given = { reasoning: { effort: 'minimal', summary: 'auto' }, text: { verbosity: 'low' } };
    const { reasoning, text } = await harness.respondTo({ input, ...given });
    expect([reasoning.effort, text]).toMatchObject(['high', { format, verbosity: 'low' }]);
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({
      messages: [{ role: 'user', content: 'x' }],
      reasoning_effort: 'high',
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'city' } },
    });
    for (const [wrong, param] of [
      [update({ reasoning: { effort: 'some' } }), 'reasoning.effort'],
      [update({ reasoning: 7 }), 'reasoning'],
      [update({ text: { format: { type: 'yaml' } } }), 'text.format.type'],
    ] as const) {
      const refused = await harness.respond({ input: [...input, wrong] });
      expect([refused.status, errorIn(refused.body).param]).toEqual([400, param]);
    }
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
