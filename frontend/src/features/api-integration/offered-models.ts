import { DEFAULT_MODEL_ID, IMAGE_MODEL_IDS, type PublicModel } from '@tanya/contract';

/** The models of the public API; image models are excluded. */
export function offeredModels(models: readonly PublicModel[]): PublicModel[] {
  return models.filter(
    ({ isEnabled, isApiEnabled, modelId }) => isEnabled && isApiEnabled && !IMAGE_MODEL_IDS.includes(modelId),
  );
}

/** A model for runnable examples: the default if the API offers it, else the first. */
export function exampleModel(offered: readonly PublicModel[] = [], defaultModelId?: string): string {
  const ids = offered.map(({ modelId }) => modelId);
  if (defaultModelId !== undefined && ids.includes(defaultModelId)) return defaultModelId;
  return ids[0] ?? DEFAULT_MODEL_ID;
}
