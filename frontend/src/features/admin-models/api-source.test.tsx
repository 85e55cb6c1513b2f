import type { ProviderConnection } from '@tanya/contract';
import { loadTexts, showLanguage } from '../../app/i18n/load-texts';
import { apiSource, nameOf, providerOf } from './api-source';

const connections = [
  { id: 1, name: 'OpenRouter', answersUnbound: false },
  { id: 2, name: 'OpenAI', answersUnbound: true },
  { id: 3, name: 'Own server', answersUnbound: false },
] as ProviderConnection[];

const sourceOf = (modelId: string, connectionId: number | null = null) =>
  apiSource({ modelId, connectionId }, connections);

describe('apiSource', () => {
  afterEach(() => showLanguage('spec'));

  it('uses the OpenAI API for image models only', () => {
    expect(sourceOf('gpt-image-1')).toBe('OpenAI API');
    expect(sourceOf('openai/gpt-image-1')).toBe('OpenAI API');
    expect(sourceOf('openai/gpt-4o-mini')).toBe('OpenRouter API');
  });

  it('is the connection of a model that has one', () => {
    expect(sourceOf('llama', 3)).toBe('Own server');
    expect(sourceOf('gpt-image-1', 3)).toBe('Own server');
  });

  it('is the connection that answers for models without one, where the texts are not fixed', async () => {
    await showLanguage('id');
    await loadTexts('admin');
    expect(sourceOf('openai/gpt-4o-mini')).toBe('OpenAI');
    expect(sourceOf('openai/gpt-image-1')).toBe('OpenAI API');
    expect(apiSource({ modelId: 'llama', connectionId: null }, [])).toBe('OpenRouter API');
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
