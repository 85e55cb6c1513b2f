import { DEFAULT_MODEL_ID, IMAGE_MODEL_IDS, type PublicModel } from '@tanya/contract';

/** What the public API answers with; it draws no images. */
export function offeredModels(models: readonly PublicModel[]): PublicModel[] {
  return models.filter(
    ({ isEnabled, isApiEnabled, modelId }) => isEnabled && isApiEnabled && !IMAGE_MODEL_IDS.includes(modelId),
  );
}

/** A model that the examples can really be run with: the default where the API offers it, else the first. */
export function exampleModel(offered: readonly PublicModel[] = [], defaultModelId?: string): string {
  const ids = offered.map(({ modelId }) => modelId);
  if (defaultModelId !== undefined && ids.includes(defaultModelId)) return defaultModelId;
  return ids[0] ?? DEFAULT_MODEL_ID;
}
