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
    expect(exampleModel([first, second], 'second/writer')).toBe('second/writer');
  });

  it('is the first model if the API does not offer the default', () => {
    expect(exampleModel([first, second], 'closed/model')).toBe('first/writer');
  });

  it('is no image model', () => {
    const image = model('openai/gpt-image-1');
    expect(exampleModel([image, first], 'openai/gpt-image-1')).toBe('first/writer');
    expect(exampleModel([image], undefined)).toBe('openai/gpt-4o-mini');
  });

  it('falls back before the models have loaded', () => {
    expect(exampleModel(undefined, undefined)).toBe('openai/gpt-4o-mini');
  });
});
