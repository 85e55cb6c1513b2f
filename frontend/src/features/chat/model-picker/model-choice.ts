import { DEFAULT_MODEL_ID, FALLBACK_MODEL, type PublicModel } from '@tanya/contract';

/** Model ids, in the order of preference. */
interface Candidates {
  /** The model that the user picked in this conversation. */
  picked: string | undefined;
  /** The model of the thread's newest answer. */
  thread: string | null | undefined;
  /** The model that the user picked last, in any conversation. */
  last: string | undefined;
  systemDefault: string | undefined;
}

/** The model of the next message: the first candidate that is offered and usable, else the first usable model. */
export function resolveModel(
  offered: readonly PublicModel[],
  candidates: Candidates,
  mayUsePremium: boolean,
): PublicModel {
  const { picked, thread, last, systemDefault } = candidates;
  const isUsable = (model: PublicModel) => mayUsePremium || !model.isPremium;
  for (const id of [picked, thread, last, systemDefault ?? DEFAULT_MODEL_ID]) {
    const found = offered.find((model) => model.modelId === id);
    if (found && isUsable(found)) return found;
  }
  return offered.find(isUsable) ?? offered[0] ?? FALLBACK_MODEL;
}
