import { capabilitiesOf, decimalOf } from './model-capabilities.js';

describe('decimalOf', () => {
  it.each([
    ['0.00000015', '0.00000015'],
    ['0', '0'],
    [0.000003, '0.000003'],
    [100, '100'],
    ['1e-7', '0.0000001'],
    ['-1', null],
    [-1, null],
    ['free', null],
    ['', null],
    [NaN, null],
    ['1e30', null],
    [null, null],
    [{}, null],
  ])('reads %j as %j', (given, expected) => {
    expect(decimalOf(given)).toBe(expected);
  });
});

describe('capabilitiesOf', () => {
  it('returns null for everything that an entry does not report or reports wrongly', () => {
    const nothing = {
      pricing: null,
      inputModalities: null,
      outputModalities: null,
      supportedParameters: null,
      reasoningEfforts: null,
    };
    expect(capabilitiesOf({ id: 'a' })).toEqual(nothing);
    const nonsense = { pricing: [], architecture: 7, supported_parameters: 'tools', reasoning: null };
    expect(capabilitiesOf(nonsense)).toEqual(nothing);
  });

  it.each([
    [{ supported_parameters: ['tools'] }, []],
    [{ supported_parameters: ['reasoning'] }, ['low', 'medium', 'high']],
    [{ supported_parameters: ['reasoning_effort'] }, ['low', 'medium', 'high']],
    [{ reasoning: { supported_efforts: null } }, ['low', 'medium', 'high']],
    [{ reasoning: { supported_efforts: ['xhigh', 'minimal', 'low'] } }, ['minimal', 'low', 'xhigh']],
    [{ reasoning: { supported_efforts: [] } }, []],
  ])('reads the efforts of %j', (entry, expected) => {
    expect(capabilitiesOf(entry).reasoningEfforts).toEqual(expected);
  });

  it.each<[string, object, string[] | null]>([
    ['OpenRouter', { architecture: { input_modalities: ['text', 'file'] } }, ['text', 'file']],
    ['xAI', { input_modalities: ['text', 'image'] }, ['text', 'image']],
    ['GitHub', { supported_input_modalities: ['text'], capabilities: ['streaming'] }, ['text']],
    ['both, in half', { architecture: { modality: 'text' }, input_modalities: ['text', 'image'] }, ['text', 'image']],
    ['Anthropic', { capabilities: { image_input: { supported: true } } }, ['text', 'image']],
    ['Mistral', { capabilities: { completion_chat: true, vision: false } }, ['text']],
    ['a server that says neither', { capabilities: { vision: 'yes', image_input: true } }, null],
  ])('reads what a model of %s takes', (_server, entry, expected) => {
    expect(capabilitiesOf({ id: 'a', ...entry }).inputModalities).toEqual(expected);
  });

  it.each<[object, object | null]>([
    [
      { prompt: '0.000003', request: 0.01, image: '3' },
      { prompt: '0.000003', request: '0.01', image: '3' },
    ],
    [{ currency: 'USD', unit: 'per_token', prompt: '0.000003' }, { prompt: '0.000003' }],
    [
      { unit: 'per_1m_tokens', prompt: 1, completion: '0.0001' },
      { prompt: '0.000001', completion: '0.0000000001' },
    ],
    [
      { unit: 'USD / million', prompt: 3, web_search: 1 },
      { prompt: '0.000003', search: '1' },
    ],
    [{ unit: '1K tokens', prompt: '0.003' }, { prompt: '0.000003' }],
    [
      { unit: 1000, prompt: 0, completion: '0.0002' },
      { prompt: '0', completion: '0.0000002' },
    ],
    // Chutes, which names no unit.
    [
      { prompt: 0.1999, input_cache_read: 0.0005 },
      { prompt: '0.0000001999', cachedPrompt: '0.0000000005' },
    ],
    // Of a thousand tokens of a dear model, or of a million of a cheap one.
    [{ prompt: '0.0025', completion: 0.01, image: 3 }, null],
    [{ currency: 'CNY', unit: 'per_1m_tokens', prompt: 1 }, null],
  ])('reads the prices %j as %j', (pricing, expected) => {
    expect(capabilitiesOf({ id: 'a', pricing }).pricing).toEqual(expected);
  });

  it('drops entries of lists that are no names', () => {
    const input = { input_modalities: ['text', 7, 'with blank', '', 'x'.repeat(65), 'text', 'image'] };
    expect(capabilitiesOf({ architecture: input }).inputModalities).toEqual(['text', 'image']);
  });
});
