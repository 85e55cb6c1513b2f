import { queryOptions } from '@tanstack/react-query';
import type { PublicSettings } from '@tanya/contract';
import { api } from '../api-client';

/** What everybody may know of the general settings: title, texts, quotas, links. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => api.get<PublicSettings>('/api/general-settings', signal),
});
