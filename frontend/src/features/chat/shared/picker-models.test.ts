import { FALLBACK_MODEL, MODEL_KINDS, type PublicModel } from '@tanya/contract';
import { pickerModels } from './picker-models';

const model = (modelId: string, changes: Partial<PublicModel> = {}) => ({ ...FALLBACK_MODEL, modelId, ...changes });

test('offers the enabled models for chats and images that the picker shows', () => {
  const models = MODEL_KINDS.map((kind) => model(`a/${kind}`, { kind }));
  const others = [model('a/off', { isEnabled: false }), model('a/hidden', { isInPicker: false })];
  expect(pickerModels([...models, ...others]).map(({ modelId }) => modelId)).toEqual(['a/chat', 'a/image']);
  expect(pickerModels([model('a/vectors', { kind: 'embedding' })])).toEqual([FALLBACK_MODEL]);
});
