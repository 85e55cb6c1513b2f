import { ADMIN_TEXTS, IMAGE_MODEL_IDS } from '@tanya/contract';

/** The API that serves a model; image models use the OpenAI API. */
export function apiSource(modelId: string): string {
  return IMAGE_MODEL_IDS.includes(modelId) ? ADMIN_TEXTS.models.openAiSource : ADMIN_TEXTS.models.openRouterSource;
}

/** The provider of a catalogue id: the part before the first slash. */
export function providerOf(id: string): string {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : id;
}

/** The name of a catalogue entry, or the part of its id after the first slash. */
export function nameOf({ id, name }: { id: string; name?: string }): string {
  return name?.trim() || id.slice(id.indexOf('/') + 1);
}
