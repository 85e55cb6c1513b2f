import type { AdminModel, CreateModelRequest, UpdateModelRequest } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { queryClient } from '../../app/queries/query-client';
import { defaultModelQuery, modelsQuery } from '../../app/queries/models.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../../components/feedback/notify';
import { adminModelsQuery } from './models.query';

function refresh(): void {
  for (const { queryKey } of [adminModelsQuery, modelsQuery, defaultModelQuery]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

const fail = (title: string) => (error: unknown) => notify({ title, description: errorText(error), kind: 'error' });

const succeed = (title: string, onDone?: () => void) => () => {
  refresh();
  onDone?.();
  notify({ title });
};

/** Applies a change to the cache before the server confirms it; `undo` reverts it. */
function optimistic(change: Partial<AdminModel>, id: number) {
  const before = queryClient.getQueryData(adminModelsQuery.queryKey);
  queryClient.setQueryData(adminModelsQuery.queryKey, (models) =>
    models?.map((model) => (model.id === id ? { ...model, ...change } : model)),
  );
  return { undo: () => queryClient.setQueryData(adminModelsQuery.queryKey, before) };
}

export function useCreateModel(onDone?: () => void) {
  return useSingleFlightMutation({
    mutationFn: (model: CreateModelRequest) => api.post<AdminModel>('/api/admin/models', { isEnabled: true, ...model }),
    onSuccess: succeed(t('models.created'), onDone),
    onError: fail(t('models.createError')),
  });
}

export function useUpdateModel(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (change: UpdateModelRequest) => api.patch(`/api/admin/models/${id}`, change),
    onSuccess: succeed(t('models.updated'), onDone),
    onError: fail(t('models.updateError')),
  });
}

export function useSwitchModel(id: number) {
  return useSingleFlightMutation({
    mutationFn: (isEnabled: boolean) => api.patch(`/api/admin/models/${id}/status`, { isEnabled }),
    onMutate: (isEnabled) => optimistic({ isEnabled }, id),
    onSuccess: succeed(t('models.statusUpdated')),
    onError: (error, _wanted, context) => {
      context?.undo();
      fail(t('models.statusError'))(error);
    },
  });
}

export function useSwitchApi(id: number) {
  return useSingleFlightMutation({
    mutationFn: (isApiEnabled: boolean) => api.patch(`/api/admin/models/${id}/api-status`, { isApiEnabled }),
    onMutate: (isApiEnabled) => optimistic({ isApiEnabled }, id),
    onSuccess: succeed(t('models.apiUpdated')),
    onError: (error, _wanted, context) => {
      context?.undo();
      fail(t('models.apiError'))(error);
    },
  });
}

export function useSetDefaultModel() {
  return useSingleFlightMutation({
    mutationFn: (modelId: string) => api.put('/api/admin/settings/default-model', { modelId }),
    onSuccess: succeed(t('models.defaultUpdated')),
    onError: fail(t('models.defaultError')),
  });
}

export function useDeleteModel(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`/api/admin/models/${id}`),
    onSuccess: succeed(t('models.deleted'), onDone),
    onError: fail(t('models.deleteError')),
  });
}
