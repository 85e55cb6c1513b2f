import { hashKey } from '@tanstack/react-query';
import type { PublicModel } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { modelsQuery } from '../../../app/queries/models.query';
import { queryClient } from '../../../app/queries/query-client';
import { readStoredJson, writeStored } from '../../../app/storage/stored';
import { notify } from '../../../components/feedback/notify';
import { composerModel } from './picker-models';

const STORED = 'tanya.model-names';
const MODELS_HASH = hashKey(modelsQuery.queryKey);

/** The names of all models that this browser has seen, by id: an answer outlives its model. */
const names = new Map<string, string>(readStoredJson<[string, string][]>(STORED));

/** The name of a model, of one that is deleted too; its id if this browser never saw its name. */
export const modelName = (modelId: string): string => names.get(modelId) ?? modelId;

function remember(models: readonly PublicModel[]): void {
  const before = JSON.stringify([...names]);
  for (const { modelId, name } of models) names.set(modelId, name);
  const now = JSON.stringify([...names]);
  if (now !== before) writeStored(STORED, now);
}

/** Tells the user that the model of the next message is gone, because another one takes its place. */
function reportGone(models: readonly PublicModel[]): void {
  const { id } = composerModel;
  if (id === null || !names.has(id) || models.some(({ modelId, isEnabled }) => modelId === id && isEnabled)) return;
  notify({ title: t('message.modelGone', { name: modelName(id) }), kind: 'info' });
}

/** Follows the list of models for as long as the page lives. */
export function followModelNames(): void {
  const read = () => queryClient.getQueryData(modelsQuery.queryKey) ?? [];
  remember(read());
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== MODELS_HASH || query.state.status !== 'success') return;
    const models = read();
    if (models.length > 0) reportGone(models);
    remember(models);
  });
}
