import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { exampleModel, offeredModels } from './offered-models';

const model = (modelId: string, changes: Partial<PublicModel> = {}): PublicModel => ({
  ...FALLBACK_MODEL,
  modelId,
  ...changes,
});
const first = model('first/writer');
const second = model('second/writer');

describe('offeredModels', () => {
  it('are the models that are enabled and API enabled, image models included', () => {
    const image = model('openai/gpt-image-1');
    const models = [
      model('disabled/model', { isEnabled: false }),
      model('closed/model', { isApiEnabled: false }),
      model('gpt-image-1', { isApiEnabled: false }),
      image,
      first,
    ];
    expect(offeredModels(models)).toEqual([image, first]);
  });
});

describe('exampleModel', () => {
  it('is the default model if the API offers it', () => {
    expect(exampleModel([first, second], 'second/writer', false)).toBe('second/writer');
  });

  it('is the first model if the API does not offer the default', () => {
    expect(exampleModel([first, second], 'closed/model', false)).toBe('first/writer');
  });

  it('is a model within the plan, if the API offers one', () => {
    const premium = model('premium/writer', { isPremium: true });
    expect(exampleModel([premium, first], 'premium/writer', false)).toBe('first/writer');
    expect(exampleModel([premium, first], 'premium/writer', true)).toBe('premium/writer');
    expect(exampleModel([premium], undefined, false)).toBe('premium/writer');
  });

  it('is no image model', () => {
    const image = model('openai/gpt-image-1');
    expect(exampleModel([image, first], 'openai/gpt-image-1', false)).toBe('first/writer');
    expect(exampleModel([image], undefined, false)).toBe('openai/gpt-4o-mini');
  });

  it('falls back before the models have loaded', () => {
    expect(exampleModel(undefined, undefined, false)).toBe('openai/gpt-4o-mini');
  });
});
