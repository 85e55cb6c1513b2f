import {
  type AdminModel,
  type CreateModelRequest,
  type ImportModelsRequest,
  type ImportModelsResult,
  LIMITS,
  type ModelBatchRequest,
  type ModelBatchResult,
  type UpdateModelRequest,
} from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { changeCached } from '../../app/queries/change-cached';
import { queryClient } from '../../app/queries/query-client';
import { defaultModelQuery, modelsQuery } from '../../app/queries/models.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../../components/feedback/fail';
import { succeed } from '../../components/feedback/succeed';
import { notify } from '../../components/feedback/notify';
import type { Selection } from '../../components/tables/selection';
import { useBatch } from '../../components/tables/use-batch';
import type { PlainTextKey } from '../../texts/catalogue';
import { adminModelsQuery } from './models.query';

/** `models:changed` has the other pages read them again, this one too; its socket may be away. */
function refresh(): void {
  for (const { queryKey } of [adminModelsQuery, modelsQuery, defaultModelQuery]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

/** Reads the models again, calls back and says that the change is stored. */
const stored = (title: PlainTextKey, onDone?: () => void) =>
  succeed(title, () => {
    refresh();
    onDone?.();
  });

const changeShown = (id: number, change: Partial<AdminModel>) =>
  changeCached(adminModelsQuery.queryKey, (models) =>
    models.map((model) => (model.id === id ? { ...model, ...change } : model)),
  );

export function useCreateModel(onDone?: () => void) {
  return useSingleFlightMutation({
    mutationFn: (model: CreateModelRequest) => api.post<AdminModel>('/api/admin/models', { isEnabled: true, ...model }),
    onSuccess: stored('models.created', onDone),
    onError: fail('models.createError'),
  });
}

export function useImportModels(connectionId: number | null, onDone: (modelIds: string[]) => void) {
  return useSingleFlightMutation({
    mutationFn: (request: Pick<ImportModelsRequest, 'modelIds' | 'isEnabled'>) =>
      api.post<ImportModelsResult>('/api/admin/models/import', { connectionId, ...request }),
    onSuccess: ({ imported }, { modelIds }) => {
      refresh();
      onDone(modelIds);
      notify({ title: imported === 1 ? t('models.created') : t('modelsPage.importedCount', { count: imported }) });
    },
    onError: fail('models.createError'),
  });
}

export function useUpdateModel(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (change: UpdateModelRequest) => api.patch(`/api/admin/models/${id}`, change),
    onSuccess: stored('models.updated', onDone),
    onError: fail('models.updateError'),
  });
}

const SKIPPED = {
  not_found: 'batch.gone',
  conflict: 'batch.isDefault',
  invalid: 'batch.isFallback',
} as const satisfies Record<ModelBatchResult['skipped'][number]['code'], PlainTextKey>;

export function useChangeModels(selection: Selection, onDone: () => void) {
  return useBatch({
    selection,
    most: LIMITS.modelBatch,
    send: async (ids, changes: ModelBatchRequest['changes']) => {
      const request: ModelBatchRequest = { ids, changes };
      const { skipped } = await api.post<ModelBatchResult>('/api/admin/models/batch', request);
      return skipped.map(({ id, code }) => ({ id, reason: t(SKIPPED[code]) }));
    },
    changed: (count) => t('batch.modelsChanged', { count }),
    refresh,
    onDone,
  });
}

export function useSwitchModel(id: number) {
  return useSingleFlightMutation({
    mutationFn: (isEnabled: boolean) => api.patch(`/api/admin/models/${id}/status`, { isEnabled }),
    onMutate: (isEnabled) => changeShown(id, { isEnabled }),
    onSuccess: stored('models.statusUpdated'),
    onError: fail('models.statusError'),
  });
}

export function useSwitchApi(id: number) {
  return useSingleFlightMutation({
    mutationFn: (isApiEnabled: boolean) => api.patch(`/api/admin/models/${id}/api-status`, { isApiEnabled }),
    onMutate: (isApiEnabled) => changeShown(id, { isApiEnabled }),
    onSuccess: stored('models.apiUpdated'),
    onError: fail('models.apiError'),
  });
}

export function useSetDefaultModel() {
  return useSingleFlightMutation({
    mutationFn: (modelId: string) => api.put('/api/admin/settings/default-model', { modelId }),
    onSuccess: stored('models.defaultUpdated'),
    onError: fail('models.defaultError'),
  });
}

export function useDeleteModel(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`/api/admin/models/${id}`),
    onSuccess: stored('models.deleted', onDone),
    onError: fail('models.deleteError'),
  });
}
