import { DEFAULT_MODEL_ID, FALLBACK_MODEL, type PublicModel } from '@tanya/contract';

/** The models of the picker: the enabled ones, or the built-in model if the server has none. */
export function offeredModels(models: readonly PublicModel[] | undefined): PublicModel[] {
  const enabled = (models ?? []).filter((model) => model.isEnabled);
  return enabled.length > 0 ? enabled : [FALLBACK_MODEL];
}

/** Model ids, in the order of preference. */
interface Candidates {
  /** The model that the user picked in this conversation. */
  picked: string | undefined;
  /** The model of the thread's newest answer. */
  thread: string | null | undefined;
  /** The server's default. */
  systemDefault: string | undefined;
}

/** The model of the next message: the first candidate that is offered and usable, else the first usable model. */
export function resolveModel(
  offered: readonly PublicModel[],
  candidates: Candidates,
  mayUsePremium: boolean,
): PublicModel {
  const isUsable = (model: PublicModel) => mayUsePremium || !model.isPremium;
  for (const id of [candidates.picked, candidates.thread, candidates.systemDefault ?? DEFAULT_MODEL_ID]) {
    const found = offered.find((model) => model.modelId === id);
    if (found && isUsable(found)) return found;
  }
  return offered.find(isUsable) ?? offered[0] ?? FALLBACK_MODEL;
}

/** The models that match the search, grouped by provider, in the order of the list. */
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
