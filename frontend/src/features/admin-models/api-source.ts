import { type AdminModel, IMAGE_MODEL_IDS, type ProviderConnection } from '@tanya/contract';
import { shownLanguage } from '../../app/i18n/load-texts';
import { t } from '../../app/i18n/translate';

/**
 * The API that serves a model: its own connection, else the one that answers for models without one. Image models use the
 * OpenAI API. The site's fixed texts name OpenRouter for all others, whichever connection answers.
 */
export function apiSource(
  { modelId, connectionId }: Pick<AdminModel, 'modelId' | 'connectionId'>,
  connections: readonly ProviderConnection[],
): string {
  const own = connections.find(({ id }) => id === connectionId);
  if (own) return own.name;
  if (IMAGE_MODEL_IDS.includes(modelId)) return t('models.openAiSource');
  const answering = shownLanguage() === 'spec' ? undefined : connections.find(({ answersUnbound }) => answersUnbound);
  return answering?.name ?? t('models.openRouterSource');
}

/** The provider of a catalogue id: the part before the first slash. */
export function providerOf(id: string): string {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : id;
}

export function nameOf({ id, name }: { id: string; name?: string }): string {
  return name?.trim() || id.slice(id.indexOf('/') + 1);
}
