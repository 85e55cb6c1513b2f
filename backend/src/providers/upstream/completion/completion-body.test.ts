import { completionBody } from './completion-body.js';

const user = { role: 'user' as const, content: 'Hi' };

it('uses the upstream’s name of the token limit and leaves out absent fields', () => {
  const request = { model: 'm', messages: [user], maxTokens: 10 };
  expect(completionBody(request, { usesNewLimitName: true })).toMatchObject({ max_completion_tokens: 10 });
  expect(completionBody(request, { usesNewLimitName: false })).toMatchObject({ max_tokens: 10 });
  expect(Object.keys(completionBody({ model: 'm', messages: [user] }, { usesNewLimitName: true })).sort()).toEqual([
    'messages',
    'model',
    'stream',
    'stream_options',
  ]);
});

it('passes the sampling parameters on', () => {
  const sampling = { temperature: 0, top_p: 0.5, presence_penalty: 1, frequency_penalty: -1, stop: ['\n'], seed: 7 };
  expect(completionBody({ model: 'm', messages: [user], sampling }, { usesNewLimitName: true })).toMatchObject(
    sampling,
  );
});

it('sends recordings in supported formats and refuses others with an explanation', () => {
  const recording = (type: string): Parameters<typeof completionBody>[0] => ({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'audio', dataUrl: `data:${type};base64,QUJD` }] }],
  });
  expect(completionBody(recording('audio/mpeg'), { usesNewLimitName: false }).messages[0]?.content).toEqual([
    { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
  ]);
  expect(() => completionBody(recording('audio/webm'), { usesNewLimitName: false })).toThrow('WAV or MP3');
});

it('sends only the text of assistant messages', () => {
  const content = [
    { type: 'text' as const, text: 'a' },
    { type: 'image' as const, dataUrl: 'data:image/png;base64,AA' },
  ];
  const { messages } = completionBody(
    { model: 'm', messages: [{ role: 'assistant', content }] },
    { usesNewLimitName: false },
  );
  expect(messages).toEqual([{ role: 'assistant', content: 'a' }]);
});

it('sends the reasoning effort in the field of the server', () => {
  const request = { model: 'm', messages: [user], reasoningEffort: 'high' as const };
  const openrouter = completionBody(request, { usesNewLimitName: false, effortField: 'reasoning' });
  expect(openrouter).toMatchObject({ reasoning: { effort: 'high' } });
  expect(openrouter).not.toHaveProperty('reasoning_effort');
  expect(completionBody(request, { usesNewLimitName: false })).toMatchObject({ reasoning_effort: 'high' });
});

it.each([
  [{ enable_thinking: false }, { enabled: false }],
  [{ enable_thinking: true, thinking_budget: 500 }, { max_tokens: 500 }],
  [{ thinking: { type: 'disabled' } }, { enabled: false }],
  [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, { max_tokens: 2_000 }],
  [{ thinking: { type: 'enabled' } }, { enabled: true }],
  [{ thinking: { type: 'else' } }, undefined],
  [{ thinking: { type: 'constructor' } }, undefined],
  [{ thinking_budget: 0 }, { enabled: false }],
  [{ thinking_budget: -1 }, { enabled: true }],
])('sends the switch of reasoning %j to OpenRouter in its form', (sampling, reasoning) => {
  const request = { model: 'm', messages: [user], sampling };
  const toOpenRouter = completionBody(request, { usesNewLimitName: false, effortField: 'reasoning' });
  expect(toOpenRouter).toMatchObject({ enable_thinking: undefined, thinking: undefined });
  expect(toOpenRouter.reasoning).toEqual(reasoning);
  expect(completionBody(request, { usesNewLimitName: false })).toMatchObject(sampling);
  const effort = { ...request, reasoningEffort: 'low' as const };
  expect(completionBody(effort, { usesNewLimitName: false, effortField: 'reasoning' })).toMatchObject({
    reasoning: { effort: 'low' },
  });
});

it('sends tools, calls with their reasoning, and results', () => {
  const tool = { name: 'add', description: 'Adds.', parameters: { type: 'object' } };
  const details = [{ type: 'reasoning.encrypted', data: 'x' }];
  const body = completionBody(
    {
      model: 'm',
      messages: [
        user,
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'a', name: 'add', args: { x: 1 } }],
          reasoningDetails: details,
        },
        { role: 'tool', callId: 'a', content: '2' },
      ],
      tools: [tool],
      serverTools: [{ type: 'openrouter:web_search' }],
    },
    { usesNewLimitName: false },
  );
  expect(body.tools).toEqual([{ type: 'function', function: tool }, { type: 'openrouter:web_search' }]);
  expect(body.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } }],
      reasoning_details: details,
    },
    { role: 'tool', tool_call_id: 'a', content: '2' },
  ]);
});

it('sends the blocks of Anthropic’s models in the field of LiteLLM, without those that broke off', () => {
  const block = { type: 'thinking', thinking: 'Hm.', signature: 'abc' };
  const hidden = { type: 'redacted_thinking', data: 'x' };
  const detail = { type: 'reasoning.encrypted', data: 'y' };
  const sent = (reasoningDetails: unknown[]): unknown => {
    const messages = [user, { role: 'assistant' as const, content: 'Yes', reasoningDetails }];
    return completionBody({ model: 'm', messages }, { usesNewLimitName: false }).messages[1];
  };
  const answer = { role: 'assistant', content: 'Yes' };
  expect(sent([block, hidden])).toEqual({ ...answer, thinking_blocks: [block, hidden] });
  expect(sent([detail, block])).toEqual({ ...answer, reasoning_details: [detail], thinking_blocks: [block] });
  expect(sent([{ ...block, signature: null }])).toEqual(answer);
});

it('sends the reasoning of answers under the name reasoning_content', () => {
  const messages = [
    user,
    {
      role: 'assistant' as const,
      content: '',
      toolCalls: [{ id: 'a', name: 'add', args: {} }],
      reasoningContent: 'Hm.',
    },
    { role: 'tool' as const, callId: 'a', content: '2' },
    { role: 'assistant' as const, content: 'It is 2.', reasoningContent: 'So it is.' },
  ];
  expect(completionBody({ model: 'm', messages }, { usesNewLimitName: false }).messages).toMatchObject([
    {},
    { content: null, reasoning_content: 'Hm.' },
    {},
    { role: 'assistant', content: 'It is 2.', reasoning_content: 'So it is.' },
  ]);
});

it('says of a tool that it is exact, and nothing of one that is not', () => {
  const tools = [{ name: 'a', strict: false }, { name: 'b', strict: true }, { name: 'c' }];
  const body = completionBody({ model: 'm', messages: [user], tools }, { usesNewLimitName: false });
  expect(body.tools).toEqual(
    [{ name: 'a' }, { name: 'b', strict: true }, { name: 'c' }].map((tool) => ({ type: 'function', function: tool })),
  );
});

it('sends the choice among tools and the arguments of a program unchanged, and neither without tools', () => {
  const request = { model: 'm', messages: [user], toolChoice: { name: 'add' }, parallelToolCalls: false };
  const toolCalls = [{ id: 'a', name: 'add', args: {}, json: '{ "x": 1.0 }' }];
  const messages = [user, { role: 'assistant' as const, content: 'Wait.', toolCalls }];
  const body = completionBody({ ...request, messages, tools: [{ name: 'add' }] }, { usesNewLimitName: false });
  expect(body).toMatchObject({
    tools: [{ type: 'function', function: { name: 'add' } }],
    tool_choice: { type: 'function', function: { name: 'add' } },
    parallel_tool_calls: false,
    messages: [user, { content: 'Wait.', tool_calls: [{ id: 'a', function: { arguments: '{ "x": 1.0 }' } }] }],
  });
  expect(completionBody(request, { usesNewLimitName: false })).not.toHaveProperty('tool_choice');
});
