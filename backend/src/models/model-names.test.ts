import { ModelNames } from './model-names.js';

const model = (provider: string, name: string, modelId = `${provider}/x`) => ({ provider, name, modelId });

describe('ModelNames', () => {
  it('gives providers that differ in case alone one spelling', () => {
    const names = new ModelNames([model('openai', 'a'), model('OpenAI', 'b'), model('acme', 'c'), model('Acme', 'd')]);
    expect(['openai', 'OpenAI', 'OPENAI'].map((each) => names.providerOf(model(each, 'a')))).toEqual(
      Array<string>(3).fill('OpenAI'),
    );
    expect(['acme', 'Acme'].map((each) => names.providerOf(model(each, 'a')))).toEqual(['Acme', 'Acme']);
    expect(names.providerOf(model('new-maker', 'a'))).toBe('new-maker');
  });

  it.each([
    ['anthropic', 'anthropic: claude-sonnet-4.5', 'claude-sonnet-4.5'],
    ['Anthropic', 'Anthropic: Claude', 'Claude'],
    ['meta-llama', 'Meta: Llama 4', 'Llama 4'],
    ['mistralai', 'Mistral: Large', 'Large'],
    ['x-ai', 'xAI: Grok', 'Grok'],
    ['acme', 'Acme : One', 'One'],
    ['anthropic', 'Google: Gemini', 'Google: Gemini'],
    ['acme', 'Tool: acme', 'Tool: acme'],
    ['acme', 'acme:', 'acme:'],
    ['acme', ':x', ':x'],
    ['acme', 'acme', 'acme'],
  ])('under %s shows %j as %j', (provider, name, expected) => {
    expect(new ModelNames([]).nameOf(model(provider, name))).toBe(expected);
  });
});
