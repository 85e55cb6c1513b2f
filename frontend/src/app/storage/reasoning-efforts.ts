import type { PublicModel, ReasoningEffort } from '@tanya/contract';
import { readStoredJson, writeStored } from './stored';

/** The chosen reasoning efforts of this browser, by model id. */
export const EFFORTS_KEY = 'tanya.efforts';

type Efforts = Record<string, ReasoningEffort | undefined>;

const read = (): Efforts => readStoredJson(EFFORTS_KEY) ?? {};

/** The chosen effort of a model; undefined without a choice and for an effort that the model no longer supports. */
export function effortOf({ modelId, reasoningEfforts }: PublicModel): ReasoningEffort | undefined {
  const chosen = reasoningEfforts?.length ? read()[modelId] : undefined;
  return reasoningEfforts?.find((effort) => effort === chosen);
}

/** Stores the effort of a model; undefined leaves it to the model again. */
export function storeEffort({ modelId }: PublicModel, effort: ReasoningEffort | undefined): void {
  writeStored(EFFORTS_KEY, JSON.stringify({ ...read(), [modelId]: effort }));
}
