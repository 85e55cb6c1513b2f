import type Anthropic from '@anthropic-ai/sdk';
import { anthropic, ask, harness, PNG, sent, WEATHER } from './anthropic-harness.js';
import { textAnswer } from './client-cases.js';
import { CALLS, TWO_CALLS } from './tool-calls-harness.js';

describe('Anthropic’s client with tools', () => {
  it.each([true, false])('calls tools and returns results with pictures, streamed: %s', async (isStream) => {
    const request = ask('weather?', {
      tools: [WEATHER],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    harness.upstream.script({ steps: TWO_CALLS });
    const message = await (isStream
      ? anthropic.messages.stream(request).finalMessage()
      : anthropic.messages.create(request));
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content.filter(({ type }) => type === 'tool_use')).toMatchObject(
      CALLS.map(({ id, function: { name, arguments: json } }) => ({ id, name, input: JSON.parse(json) as object })),
    );
    expect(sent()).toMatchObject({
      tool_choice: 'required',
      parallel_tool_calls: false,
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: WEATHER.input_schema } }],
    });
    harness.upstream.script({ steps: textAnswer('Rain.') });
    const picture = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG },
    };
    const last = await anthropic.messages.create({
      ...request,
      tool_choice: { type: 'auto' },
      messages: [
        ...request.messages,
        { role: 'assistant', content: message.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a', content: [{ type: 'text', text: '30°' }, picture] },
            { type: 'tool_result', tool_use_id: 'call_b', is_error: true, content: 'no such city' },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
    });
    expect(last.content).toMatchObject([{ type: 'text', text: 'Rain.' }]);
    expect((sent()['messages'] as object[]).slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: CALLS },
      { role: 'tool', tool_call_id: 'call_a', content: '30°' },
      { role: 'tool', tool_call_id: 'call_b', content: 'Error: no such city' },
      { role: 'user', content: [{ type: 'image_url' }, { type: 'text', text: 'So?' }] },
    ]);
  });

  it.each([true, false])('has tools with longer names than OpenAI takes, streamed: %s', async (isStream) => {
    const name = `mcp__${'a'.repeat(110)}`;
    const short = expect.stringMatching(/^mcp__a{50}_[0-9a-f]{8}$/) as string;
    const use = { type: 'tool_use' as const, id: 'a', name, input: {} };
    const request = ask('weather?', { tools: [{ ...WEATHER, name }], tool_choice: { type: 'tool', name } });
    request.messages.push(
      { role: 'assistant', content: [use] } as never,
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] } as never,
    );
    await anthropic.messages.create(request);
    const { tools, messages, tool_choice: choice } = sent() as Record<string, { function: { name: string } }[]>;
    expect([tools![0], choice]).toMatchObject([{ function: { name: short } }, { function: { name: short } }]);
    expect(messages!.at(-2)).toMatchObject({ tool_calls: [{ function: { name: short } }] });
    const call = { index: 0, id: 'b', name: tools![0]!.function.name, args: '{}' };
    harness.upstream.script({ steps: [{ call }, ...TWO_CALLS.slice(4)] });
    const message = await (isStream
      ? anthropic.messages.stream(request).finalMessage()
      : anthropic.messages.create(request));
    expect(message.content.at(-1)).toMatchObject({ type: 'tool_use', id: 'b', name });
  });

  it('may divide a turn into several messages', async () => {
    const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'get_weather', input: {} });
    const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: `of ${id}` });
    await anthropic.messages.create({
      ...ask('weather?'),
      messages: [
        { role: 'user', content: 'weather?' },
        { role: 'assistant', content: 'I look. ' },
        { role: 'assistant', content: [{ type: 'text', text: 'Twice.' }, use('a')] },
        { role: 'assistant', content: [use('b')] },
        { role: 'user', content: [result('a'), { type: 'text', text: 'One.' }] },
        { role: 'user', content: [result('b'), { type: 'text', text: 'Two.' }] },
      ],
    });
    expect((sent()['messages'] as object[]).slice(-6)).toMatchObject([
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: 'I look. Twice.', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', tool_call_id: 'a', content: 'of a' },
      { role: 'tool', tool_call_id: 'b', content: 'of b' },
      { role: 'user', content: [{ text: 'One.' }] },
      { role: 'user', content: [{ text: 'Two.' }] },
    ]);
  });

  it('goes on with a conversation that Anthropic’s servers took part in', async () => {
    const found = { type: 'web_search_result', title: 'A', url: 'https://a.example', encrypted_content: 'x' };
    const request = {
      ...ask('x'),
      messages: [
        { role: 'user', content: 'Find it.' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'it' } },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
            { type: 'mcp_tool_listing', mcp_server_name: 'docs', tools: [] },
            { type: 'mcp_tool_use', id: 'mcptoolu_1', server_name: 'docs', name: 'search', input: {} },
            { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: 'it' },
            { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
            { type: 'text', text: 'It is at A.' },
            { type: 'tool_use', id: 'a', name: 'get_weather', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [
                {
                  type: 'search_result',
                  title: 'B',
                  source: 'https://b.example',
                  content: [{ type: 'text', text: 'rain' }],
                },
                { type: 'tool_reference', tool_name: 'get_tide' },
              ],
            },
            { type: 'text', text: '' },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
    } as unknown as Anthropic.MessageCreateParamsNonStreaming;
    harness.upstream.script({ steps: textAnswer('Rain.') });
    expect((await anthropic.messages.create(request)).content).toMatchObject([{ type: 'text', text: 'Rain.' }]);
    expect((sent()['messages'] as object[]).slice(-4)).toMatchObject([
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', content: 'It is at A.', tool_calls: [{ id: 'a' }] },
      { role: 'tool', content: expect.stringMatching(/B, https:\/\/b\.example[^]*rain[^]*get_tide/) as string },
      { role: 'user', content: [{ type: 'text', text: 'So?' }] },
    ]);
  });

  it('runs tools by itself until the answer has none', async () => {
    harness.upstream.script({ steps: TWO_CALLS }, { steps: textAnswer('Rain in both.') });
    const cities: string[] = [];
    const runner = anthropic.beta.messages.toolRunner({
      ...ask('weather?'),
      tools: [
        {
          ...WEATHER,
          parse: (input: unknown) => input as { city: string },
          run: ({ city }: { city: string }) => {
            cities.push(city);
            return 'rain';
          },
        },
      ],
    });
    expect((await runner).content).toMatchObject([{ type: 'text', text: 'Rain in both.' }]);
    expect(cities).toEqual(['Jakarta', 'Bogor']);
  });
});
