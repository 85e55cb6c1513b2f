import { IMAGE_MODEL_IDS } from '@tanya/contract';
import { t } from '../../app/i18n/translate';

/** The API that serves a model; image models use the OpenAI API. */
export function apiSource(modelId: string): string {
  return IMAGE_MODEL_IDS.includes(modelId) ? t('models.openAiSource') : t('models.openRouterSource');
}

/** The provider of a catalogue id: the part before the first slash. */
export function providerOf(id: string): string {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : id;
}

export function nameOf({ id, name }: { id: string; name?: string }): string {
  return name?.trim() || id.slice(id.indexOf('/') + 1);
}
