import { API_LIMITS, type ChatCompletionMessage, type FunctionCall } from '@tanya/contract';
import { AppError } from '../../platform/errors/app-error.js';
import { toProviderMessages as convert } from './provider-messages.js';

const paramOf = async (work: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError) return error.details?.[0]?.field;
    throw error;
  }
  return undefined;
};

/** No message here has files. */
const toProviderMessages = (messages: ChatCompletionMessage[]) =>
  convert(messages, { partsOf: () => Promise.reject(new Error('no files')) });

describe('toProviderMessages', () => {
  it('maps the roles to those of the provider', async () => {
    const messages = await toProviderMessages([
      { role: 'developer', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: [{ type: 'text', text: 'c' }] },
      { role: 'assistant', content: 'd' },
    ]);
    expect(messages).toEqual([
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: [{ type: 'text', text: 'c' }] },
      { role: 'assistant', content: 'd' },
    ]);
  });

  it('leaves out empty answers, which clients keep after a stop', async () => {
    const first = { role: 'user', content: 'a' } as const;
    const second = { role: 'user', content: 'b' } as const;
    for (const content of ['', null]) {
      expect(await toProviderMessages([first, { role: 'assistant', content }, second])).toEqual([first, second]);
      expect(await paramOf(() => toProviderMessages([{ role: 'assistant', content }]))).toBe('messages');
    }
  });

  it.each(['prefix', 'partial'] as const)('passes on the %s of the last message alone', async (field) => {
    const asked = { role: 'user', content: 'a' } as const;
    const begun = { role: 'assistant', content: '{', [field]: true } as const;
    expect(await toProviderMessages([asked, begun, asked, begun])).toEqual([
      asked,
      { role: 'assistant', content: '{' },
      asked,
      { role: 'assistant', content: '{', continuedBy: field },
    ]);
    const empty = { role: 'assistant', content: '', [field]: true } as const;
    expect(await toProviderMessages([asked, { role: 'assistant', content: '{' }, empty])).toEqual([
      asked,
      { role: 'assistant', content: '{' },
    ]);
  });

  it.each<[unknown, string]>([
    [42, '42'],
    [false, 'false'],
    [{ a: [1] }, '{"a":[1]}'],
    [['a', 'b'], '["a","b"]'],
    [[{ id: 1 }], '[{"id":1}]'],
    [[{ type: 'text', text: 'a' }], 'a'],
    [{ type: 'text', text: 'a' }, 'a'],
    [[{ type: 'dog', name: 'Rex' }], '[{"type":"dog","name":"Rex"}]'],
    [[{ type: 'file', name: 'a.txt' }], '[{"type":"file","name":"a.txt"}]'],
    [{ type: 'directory', name: 'a' }, '{"type":"directory","name":"a"}'],
    [{ type: 'file', file: 'a.txt' }, '{"type":"file","file":"a.txt"}'],
    [[{ type: 'input_field', name: 'x' }], '[{"type":"input_field","name":"x"}]'],
    [{ type: 'search_result', content: 'x' }, '{"type":"search_result","content":"x"}'],
  ])('takes the result %j as a text', async (content, expected) => {
    const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
    const messages = [
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', tool_call_id: 'c', content },
    ] as ChatCompletionMessage[];
    expect((await toProviderMessages(messages))[1]).toEqual({ role: 'tool', callId: 'c', content: expected });
  });

  it('keeps the reasoning of answers', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }];
    const reasoning = { reasoning_content: 'Hm\ud800', reasoning_details: details };
    const question = { role: 'user', content: 'a', ...reasoning } as const;
    expect(await toProviderMessages([question, { role: 'assistant', content: 'b', ...reasoning }])).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoningContent: 'Hm\ufffd', reasoningDetails: details },
    ]);
    expect(
      (await toProviderMessages([question, { role: 'assistant', content: 'b', reasoning_details: [] }]))[1],
    ).toEqual({
      role: 'assistant',
      content: 'b',
    });
  });

  it('keeps an empty reasoning with calls alone', async () => {
    const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
    const answer = { role: 'assistant', content: 'b', reasoning_content: '' } as const;
    const result = { role: 'tool', tool_call_id: 'c', content: 'd' } as const;
    const [plain, calling] = await toProviderMessages([answer, { ...answer, tool_calls: calls }, result]);
    expect(plain).toEqual({ role: 'assistant', content: 'b' });
    expect(calling).toMatchObject({ reasoningContent: '' });
  });

  it('replaces lone surrogates (TX-1)', async () => {
    const [text, parts] = await toProviderMessages([
      { role: 'user', content: 'a\ud800b' },
      { role: 'user', content: [{ type: 'text', text: '\udc00' }] },
    ]);
    expect(text?.content).toBe('a\ufffdb');
    expect(parts?.content).toEqual([{ type: 'text', text: '\ufffd' }]);
  });

  it('accepts images as data URLs and as https addresses, which it leaves (SSRF-1)', async () => {
    const withImage = (url: unknown) => () =>
      toProviderMessages([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] as never }]);
    const dataUrl = 'data:image/png;base64,AAAA';
    expect(await withImage(dataUrl)()).toEqual([{ role: 'user', content: [{ type: 'image', dataUrl }] }]);
    const address = 'https://example.org/x.png';
    expect(await withImage(address)()).toEqual([{ role: 'user', content: [{ type: 'image', dataUrl: address }] }]);
    await expect(withImage('http://169.254.169.254/')()).rejects.toThrow('A picture could not be fetched.');
    const refused = ['file:///etc/passwd', 'data:image/svg+xml;base64,AAAA', 'data:image/png,x', 7, null];
    for (const url of refused) expect(await paramOf(withImage(url))).toBe('messages.0.content');
  });

  it('accepts the parts of Responses and Mistral, which clients of theirs send here', async () => {
    const dataUrl = 'data:image/png;base64,AAAA';
    const content = [
      { type: 'input_text', text: 'a' },
      { type: 'output_text', text: 'b' },
      { type: 'image_url', image_url: dataUrl },
    ] as never;
    expect(await toProviderMessages([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
          { type: 'image', dataUrl },
        ],
      },
    ]);
    const address = [{ type: 'image_url', image_url: 'http://169.254.169.254/' }] as never;
    await expect(toProviderMessages([{ role: 'user', content: address }])).rejects.toThrow('could not be fetched');
  });

  it.each(['system', 'developer', 'assistant'] as const)('refuses images of the role %s', async (role) => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    const question: ChatCompletionMessage = { role: 'user', content: 'x' };
    const messages: ChatCompletionMessage[] = [question, { role, content: [{ type: 'text', text: 'a' }, image] }];
    expect(await paramOf(() => toProviderMessages(messages))).toBe('messages.1.content');
  });

  it('accepts a refusal, which clients keep in their history', async () => {
    const content = [{ type: 'refusal', refusal: 'no' }] as never;
    expect(await toProviderMessages([{ role: 'assistant', content }])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'no' }] },
    ]);
  });

  it.each([[7], [null], [{}], [[null]], [['x']], [[{ type: 'input_audio' }]], [[{ type: 'text', text: 7 }]]])(
    'refuses the content %j by name',
    async (content) => {
      expect(await paramOf(() => toProviderMessages([{ role: 'user', content: content as never }]))).toBe(
        'messages.0.content',
      );
    },
  );
});

it('refuses more parts than one message may have', async () => {
  const content = Array.from({ length: API_LIMITS.parts + 1 }, () => ({ type: 'text', text: 'a' }) as const);
  expect(await paramOf(() => toProviderMessages([{ role: 'user', content }]))).toBe('messages.0.content');
  expect(await toProviderMessages([{ role: 'user', content: content.slice(1) }])).toHaveLength(1);
});

describe('calls and their results', () => {
  const call = (id: string): FunctionCall => ({
    id,
    type: 'function',
    function: { name: 'add', arguments: '{ "x": 1 }' },
  });
  const calls = (...ids: string[]): ChatCompletionMessage => ({ role: 'assistant', tool_calls: ids.map(call) });
  const result = (id: string, content: ChatCompletionMessage['content'] = '2'): ChatCompletionMessage => ({
    role: 'tool',
    tool_call_id: id,
    content,
  });
  const question: ChatCompletionMessage = { role: 'user', content: 'x' };

  it('may be an empty list', async () => {
    expect(await toProviderMessages([question, calls('a'), result('a', [])])).toMatchObject([
      {},
      {},
      { role: 'tool', callId: 'a', content: '' },
    ]);
  });

  it('keep the text of the arguments, and results may be empty or parts', async () => {
    const parts: ChatCompletionMessage['content'] = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(
      (await toProviderMessages([question, calls('a', 'b'), result('b', ''), result('a', parts)])).slice(1),
    ).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: ['a', 'b'].map((id) => ({ id, name: 'add', args: {}, json: '{ "x": 1 }' })),
      },
      { role: 'tool', callId: 'b', content: '' },
      { role: 'tool', callId: 'a', content: 'ab' },
    ]);
  });

  it('may have pictures, which follow the results of a turn in a message of the user', async () => {
    const image = (data: string) =>
      ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }) as const;
    const shown = (data: string) => ({ type: 'image', dataUrl: `data:image/png;base64,${data}` });
    const messages = await toProviderMessages([
      ...[question, calls('a', 'b'), result('a', [{ type: 'text', text: 'seen' }, image('AAAA')])],
      ...[result('b', [image('BBBB')]), { role: 'assistant', content: 'And?' } as const],
      ...[calls('c'), result('c', [image('CCCC')])],
    ]);
    expect(messages.slice(2)).toMatchObject([
      { role: 'tool', callId: 'a', content: 'seen' },
      { role: 'tool', callId: 'b', content: '' },
      { role: 'user', content: [shown('AAAA'), shown('BBBB')] },
      { role: 'assistant', content: 'And?' },
      { role: 'assistant', toolCalls: [{ id: 'c' }] },
      { role: 'tool', callId: 'c', content: '' },
      { role: 'user', content: [shown('CCCC')] },
    ]);
  });

  it.each<[string, ChatCompletionMessage[]]>([
    ['messages.1.tool_calls', [question, calls('a')]],
    ['messages.1.tool_calls', [question, calls('a', 'b'), result('a'), question]],
    ['messages.1.tool_calls', [question, calls('a', 'a'), result('a')]],
    ['messages.1.tool_call_id', [question, result('a')]],
    ['messages.3.tool_call_id', [question, calls('a'), result('a'), result('a')]],
    ['messages.2.tool_call_id', [question, calls('a'), result('b')]],
  ])('are refused without their counterpart: %s', async (param, messages) => {
    expect(await paramOf(() => toProviderMessages(messages))).toBe(param);
  });
});
