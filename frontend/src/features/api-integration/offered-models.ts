import { DEFAULT_MODEL_ID, IMAGE_MODEL_IDS, type PublicModel } from '@tanya/contract';

/** The models of the public API, with those of its image endpoint. */
export function offeredModels(models: readonly PublicModel[]): PublicModel[] {
  return models.filter(({ isEnabled, isApiEnabled }) => isEnabled && isApiEnabled);
}

/**
 * A model for runnable examples of chat completions: the default if the API offers it and the plan includes it, else the
 * first within the plan, else the first.
 */
export function exampleModel(
  offered: readonly PublicModel[] = [],
  defaultModelId: string | undefined,
  mayUsePremium: boolean,
): string {
  const chatModels = offered.filter(({ modelId }) => !IMAGE_MODEL_IDS.includes(modelId));
  const usable = chatModels.filter(({ isPremium }) => mayUsePremium || !isPremium);
  const model = usable.find(({ modelId }) => modelId === defaultModelId) ?? usable[0] ?? chatModels[0];
  return model?.modelId ?? DEFAULT_MODEL_ID;
}
