import { DEFAULT_MODEL_ID, FALLBACK_MODEL, type PublicModel } from '@tanya/contract';

/** What the picker offers: enabled models, or the one built-in entry where the server has none. */
export function offeredModels(models: readonly PublicModel[] | undefined): PublicModel[] {
  const enabled = (models ?? []).filter((model) => model.isEnabled);
  return enabled.length > 0 ? enabled : [FALLBACK_MODEL];
}

interface Wishes {
  /** What the user picked in this conversation. */
  picked: string | undefined;
  /** What the thread was written with. */
  thread: string | null | undefined;
  /** The server's default. */
  standard: string | undefined;
}

/**
 * The model of the next message: the first wish that is offered and, for the wishes that nobody voiced here, that this
 * user may use; else the first model that may be used.
 */
export function resolveModel(offered: readonly PublicModel[], wishes: Wishes, mayUsePremium: boolean): PublicModel {
  const isUsable = (model: PublicModel) => mayUsePremium || !model.isPremium;
  for (const wish of [wishes.picked, wishes.thread, wishes.standard ?? DEFAULT_MODEL_ID]) {
    const found = offered.find((model) => model.modelId === wish);
    if (found && isUsable(found)) return found;
  }
  return offered.find(isUsable) ?? offered[0] ?? FALLBACK_MODEL;
}

/** Models under the name of their provider, both in the order of the list, those that match the search. */
export function groupByProvider(models: readonly PublicModel[], search: string): [string, PublicModel[]][] {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string, PublicModel[]>();
  for (const model of models) {
    const text = `${model.name} ${model.modelId} ${model.provider}`.toLowerCase();
    if (wanted && !text.includes(wanted)) continue;
    groups.set(model.provider, [...(groups.get(model.provider) ?? []), model]);
  }
  return [...groups];
}
