import { IMAGE_MODEL_IDS, TEXTS } from '@tanya/contract';

/** Which interface a model is asked through; the ones that draw go another way. */
export function apiSource(modelId: string): string {
  return IMAGE_MODEL_IDS.includes(modelId) ? TEXTS.models.openAiSource : TEXTS.models.openRouterSource;
}

/** The provider of a catalogue id: what stands before the first slash. */
export function providerOf(id: string): string {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : id;
}

/** The name of a catalogue entry; without one, what stands behind the first slash. */
export function nameOf({ id, name }: { id: string; name?: string }): string {
  return name?.trim() || id.slice(id.indexOf('/') + 1);
}
