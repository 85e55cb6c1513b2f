import { FALLBACK_MODEL } from '@tanya/contract';
import { exampleModel } from './example-model';

const offered = ['openai/gpt-image-1', 'first/writer', 'second/writer'].map((modelId) => ({
  ...FALLBACK_MODEL,
  modelId,
}));

describe('exampleModel', () => {
  it('is the default model where the API offers it', () => {
    expect(exampleModel(offered, 'second/writer')).toBe('second/writer');
  });

  it('is the first that writes where the default is closed to the API or draws', () => {
    expect(exampleModel(offered, 'closed/model')).toBe('first/writer');
    expect(exampleModel(offered, 'openai/gpt-image-1')).toBe('first/writer');
  });

  it('falls back before the models are known', () => {
    expect(exampleModel(undefined, undefined)).toBe('openai/gpt-4o-mini');
  });
});
