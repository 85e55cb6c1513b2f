import { apiSource, nameOf, providerOf } from './api-source';

describe('apiSource', () => {
  it('uses the OpenAI API for image models only', () => {
    expect(apiSource('gpt-image-1')).toBe('OpenAI API');
    expect(apiSource('openai/gpt-image-1')).toBe('OpenAI API');
    expect(apiSource('openai/gpt-4o-mini')).toBe('OpenRouter API');
  });
});

describe('a catalogue entry', () => {
  it('takes its provider from the part before the first slash', () => {
    expect(providerOf('meta-llama/llama-3/free')).toBe('meta-llama');
    expect(providerOf('gpt-image-1')).toBe('gpt-image-1');
  });

  it('takes its name from the part after the first slash when it has none', () => {
    expect(nameOf({ id: 'meta-llama/llama-3/free' })).toBe('llama-3/free');
    expect(nameOf({ id: 'openai/gpt-4o', name: 'GPT-4o' })).toBe('GPT-4o');
  });
});
