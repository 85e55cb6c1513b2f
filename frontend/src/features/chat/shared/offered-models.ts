import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';

/** The models to choose from: the enabled ones, or the built-in model if the server has none. */
export function offeredModels(models: readonly PublicModel[] | undefined): PublicModel[] {
  const enabled = (models ?? []).filter((model) => model.isEnabled);
  return enabled.length > 0 ? enabled : [FALLBACK_MODEL];
}
