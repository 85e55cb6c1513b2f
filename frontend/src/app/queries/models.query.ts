import { queryOptions } from '@tanstack/react-query';
import { type DefaultModel, type PublicModel, SENDABLE_KINDS } from '@tanya/contract';
import { api } from '../api/api-client';

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api.get<PublicModel[]>('/api/models', signal),
});

/** Whether people may choose a model for a chat. */
export const isOffered = ({ isEnabled, isInPicker, kind }: PublicModel): boolean =>
  isEnabled && isInPicker && SENDABLE_KINDS.includes(kind);

export const defaultModelQuery = queryOptions({
  queryKey: ['default-model'],
  queryFn: ({ signal }) => api.get<DefaultModel>('/api/settings/default-model', signal),
});
