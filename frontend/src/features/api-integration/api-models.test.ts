import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { exampleModels, apiModels } from './api-models';

const model = (modelId: string, changes: Partial<PublicModel> = {}): PublicModel => ({
  ...FALLBACK_MODEL,
  modelId,
  ...changes,
});
const chatExample = (...args: Parameters<typeof exampleModels>) => exampleModels(...args).model;
const first = model('first/writer');
const second = model('second/writer');

describe('apiModels', () => {
  it('are the models that are enabled and API enabled, image models included', () => {
    const image = model('openai/gpt-image-1');
    const models = [
      model('disabled/model', { isEnabled: false }),
      model('closed/model', { isApiEnabled: false }),
      model('gpt-image-1', { isApiEnabled: false }),
      image,
      first,
    ];
    expect(apiModels(models)).toEqual([image, first]);
  });
});

describe('exampleModels', () => {
  it('is the default model if the API offers it', () => {
    expect(chatExample([first, second], 'second/writer', false)).toBe('second/writer');
  });

  it('is the first model if the API does not offer the default', () => {
    expect(chatExample([first, second], 'closed/model', false)).toBe('first/writer');
  });

  it('is a model within the plan, if the API offers one', () => {
    const premium = model('premium/writer', { isPremium: true });
    expect(chatExample([premium, first], 'premium/writer', false)).toBe('first/writer');
    expect(chatExample([premium, first], 'premium/writer', true)).toBe('premium/writer');
    expect(chatExample([premium], undefined, false)).toBe('premium/writer');
  });

  it('is no image model', () => {
    const image = model('openai/gpt-image-1', { kind: 'image' });
    expect(chatExample([image, first], 'openai/gpt-image-1', false)).toBe('first/writer');
    expect(chatExample([image], undefined, false)).toBe('openai/gpt-4o-mini');
  });

  it('are of the kind that each call needs', () => {
    const premium = model('premium/vectors', { kind: 'embedding', isPremium: true });
    const vectors = model('any/vectors', { kind: 'embedding' });
    const { models } = exampleModels([first, premium, vectors], undefined, false);
    expect(models).toEqual({ image: undefined, embedding: 'any/vectors', transcription: undefined });
    expect(exampleModels([premium], undefined, false).models.embedding).toBe('premium/vectors');
  });

  it('falls back before the models have loaded', () => {
    expect(chatExample(undefined, undefined, false)).toBe('openai/gpt-4o-mini');
  });
});
