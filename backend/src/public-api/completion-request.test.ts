import { AppError } from '../platform/errors/app-error.js';
import { refuseUnsupported, toProviderMessages } from './completion-request.js';

const paramOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.details?.[0]?.field;
    throw error;
  }
  return undefined;
};

describe('a field that changes what an answer is', () => {
  it.each([
    ['tools', [{ type: 'function' }]],
    ['functions', [{}]],
    ['tool_choice', 'auto'],
    ['n', 2],
    ['n', '1'],
    ['response_format', { type: 'json_schema' }],
    ['response_format', 'text'],
    ['logprobs', true],
    ['audio', {}],
    ['modalities', ['text', 'audio']],
  ])('is refused by name: %s', (field, value) => {
    expect(paramOf(() => refuseUnsupported({ [field]: value }))).toBe(field);
  });

  it('passes where it is harmless, null or absent', () => {
    const harmless = { tools: [], tool_choice: 'none', n: 1, response_format: { type: 'text' }, modalities: ['text'] };
    expect(() => refuseUnsupported(harmless)).not.toThrow();
    expect(() => refuseUnsupported({ tools: null, n: undefined, seed: 7 })).not.toThrow();
  });
});

describe('messages', () => {
  it('reach the provider with the roles that it knows', () => {
    const messages = toProviderMessages([
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

  it('leave out answers without a word, as they stand in the history of a client that was stopped', () => {
    const asked = { role: 'user', content: 'a' } as const;
    const again = { role: 'user', content: 'b' } as const;
    for (const content of ['', null]) {
      expect(toProviderMessages([asked, { role: 'assistant', content }, again])).toEqual([asked, again]);
      expect(paramOf(() => toProviderMessages([{ role: 'assistant', content }]))).toBe('messages');
    }
  });

  it('are well-formed, whatever came (TX-1)', () => {
    const [text, parts] = toProviderMessages([
      { role: 'user', content: 'a\ud800b' },
      { role: 'user', content: [{ type: 'text', text: '\udc00' }] },
    ]);
    expect(text?.content).toBe('a\ufffdb');
    expect(parts?.content).toEqual([{ type: 'text', text: '\ufffd' }]);
  });

  it('carry pictures as data URLs alone (SSRF-1)', () => {
    const withImage = (url: unknown) => () =>
      toProviderMessages([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] as never }]);
    const dataUrl = 'data:image/png;base64,AAAA';
    expect(withImage(dataUrl)()).toEqual([{ role: 'user', content: [{ type: 'image', dataUrl }] }]);
    const refused = [
      'https://example.org/x.png',
      'http://169.254.169.254/',
      'data:image/svg+xml;base64,AAAA',
      'data:image/png,x',
      7,
      null,
    ];
    for (const url of refused) expect(paramOf(withImage(url))).toBe('messages.0.content');
  });

  it.each([[7], [null], [{}], [[null]], [['x']], [[{ type: 'input_audio' }]], [[{ type: 'text', text: 7 }]]])(
    'with the content %j are refused by name',
    (content) => {
      expect(paramOf(() => toProviderMessages([{ role: 'user', content: content as never }]))).toBe(
        'messages.0.content',
      );
    },
  );
});
