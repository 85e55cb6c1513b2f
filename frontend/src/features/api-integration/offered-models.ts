import { DEFAULT_MODEL_ID, IMAGE_MODEL_IDS, type PublicModel } from '@tanya/contract';

/** The models of the public API, with those of its image endpoint. */
export function offeredModels(models: readonly PublicModel[]): PublicModel[] {
  return models.filter(({ isEnabled, isApiEnabled }) => isEnabled && isApiEnabled);
}

/** A model for runnable examples of chat completions: the default if the API offers it, else the first. */
export function exampleModel(offered: readonly PublicModel[] = [], defaultModelId?: string): string {
  const ids = offered.map(({ modelId }) => modelId).filter((id) => !IMAGE_MODEL_IDS.includes(id));
  if (defaultModelId !== undefined && ids.includes(defaultModelId)) return defaultModelId;
  return ids[0] ?? DEFAULT_MODEL_ID;
}
