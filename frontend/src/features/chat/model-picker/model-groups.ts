import type { PublicModel } from '@tanya/contract';

export interface ModelGroup {
  /** The provider; null for the favourites. */
  name: string | null;
  models: PublicModel[];
}

/** The models that match the search in the order of the list: the favourites, then the others by provider. */
export function groupModels(
  models: readonly PublicModel[],
  search: string,
  favourites: readonly string[],
): ModelGroup[] {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string | null, PublicModel[]>([[null, []]]);
  for (const model of models) {
    const text = `${model.name} ${model.modelId} ${model.provider}`.toLowerCase();
    if (wanted && !text.includes(wanted)) continue;
    const name = favourites.includes(model.modelId) ? null : model.provider;
    groups.set(name, [...(groups.get(name) ?? []), model]);
  }
  return [...groups].map(([name, members]) => ({ name, models: members })).filter((group) => group.models.length > 0);
}
