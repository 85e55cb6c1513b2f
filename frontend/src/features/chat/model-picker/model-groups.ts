import type { PublicModel } from '@tanya/contract';

export interface ModelGroup {
  /** The provider; null for the favourites. */
  name: string | null;
  draws: boolean;
  models: PublicModel[];
}

/**
 * The models that match the search in the order of the list: the favourites, then the others by provider. A provider of models
 * for chat and for images has a group of each.
 */
export function groupModels(
  models: readonly PublicModel[],
  search: string,
  favourites: readonly string[],
): ModelGroup[] {
  const wanted = search.trim().toLowerCase();
  const groups: ModelGroup[] = [{ name: null, draws: false, models: [] }];
  for (const model of models) {
    const text = `${model.name} ${model.modelId} ${model.provider}`.toLowerCase();
    if (wanted && !text.includes(wanted)) continue;
    const isFavourite = favourites.includes(model.modelId);
    const own = { name: isFavourite ? null : model.provider, draws: !isFavourite && model.kind === 'image' };
    const group = groups.find(({ name, draws }) => name === own.name && draws === own.draws);
    if (group) group.models.push(model);
    else groups.push({ ...own, models: [model] });
  }
  return groups.filter((group) => group.models.length > 0);
}
