import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { isOffered } from '../../../app/queries/models.query';

/**
 * The models to choose from: the enabled ones for chat, then those for images, or the built-in model if the server has none. The
 * server sends them in this order.
 */
export function pickerModels(models: readonly PublicModel[] | undefined): PublicModel[] {
  const enabled = (models ?? []).filter(isOffered);
  return enabled.length > 0 ? enabled : [FALLBACK_MODEL];
}

/** The model that the composer shows, so that its deletion can be told; null until the models are read. */
export const composerModel: { id: string | null } = { id: null };
