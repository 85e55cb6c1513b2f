import { DEFAULT_MODEL_ID, IMAGE_MODEL_IDS, type PublicModel } from '@tanya/contract';

/** A model that the examples can really be run with: the default where the API offers it, else the first that writes. */
export function exampleModel(offered: readonly PublicModel[] | undefined, defaultModelId: string | undefined): string {
  const writers = (offered ?? []).map(({ modelId }) => modelId).filter((id) => !IMAGE_MODEL_IDS.includes(id));
  if (defaultModelId !== undefined && writers.includes(defaultModelId)) return defaultModelId;
  return writers[0] ?? DEFAULT_MODEL_ID;
}
