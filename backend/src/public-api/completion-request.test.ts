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

describe('refuseUnsupported', () => {
  it.each([
    ['tools', [{ type: 'function' }]],
    ['functions', [{}]],
    ['tool_choice', 'auto'],
    ['n', 2],
    ['n', '1'],
    ['prediction', { type: 'content' }],
    ['logprobs', true],
    ['audio', {}],
    ['modalities', ['text', 'audio']],
  ])('refuses %s by name with the value %j', (field, value) => {
    expect(paramOf(() => refuseUnsupported({ [field]: value }))).toBe(field);
  });

  it('accepts defaults, null and absent fields', () => {
    const defaults = { tools: [], tool_choice: 'none', n: 1, response_format: { type: 'text' }, modalities: ['text'] };
    expect(() => refuseUnsupported(defaults)).not.toThrow();
    expect(() => refuseUnsupported({ tools: null, n: undefined, seed: 7 })).not.toThrow();
  });
});

describe('toProviderMessages', () => {
  it('maps the roles to those of the provider', () => {
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

  it('leaves out empty answers, which clients keep after a stop', () => {
    const first = { role: 'user', content: 'a' } as const;
    const second = { role: 'user', content: 'b' } as const;
    for (const content of ['', null]) {
      expect(toProviderMessages([first, { role: 'assistant', content }, second])).toEqual([first, second]);
      expect(paramOf(() => toProviderMessages([{ role: 'assistant', content }]))).toBe('messages');
    }
  });

  it('replaces lone surrogates (TX-1)', () => {
    const [text, parts] = toProviderMessages([
      { role: 'user', content: 'a\ud800b' },
      { role: 'user', content: [{ type: 'text', text: '\udc00' }] },
    ]);
    expect(text?.content).toBe('a\ufffdb');
    expect(parts?.content).toEqual([{ type: 'text', text: '\ufffd' }]);
  });

  it('accepts images as data URLs only (SSRF-1)', () => {
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
    'refuses the content %j by name',
    (content) => {
      expect(paramOf(() => toProviderMessages([{ role: 'user', content: content as never }]))).toBe(
        'messages.0.content',
      );
    },
  );
});
