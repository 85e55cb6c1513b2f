import { queryOptions } from '@tanstack/react-query';
import type { AdminApiKey, AdminUser, CreatedApiKey, CreateServiceKeyRequest, LimitKeyRequest } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { succeed } from '../../../components/feedback/succeed';

const PATH = '/api/admin/keys';

const SERVICES = '/api/admin/users?service=true&sort=username&limit=200';

/** The service accounts, by name. */
export const servicesQuery = queryOptions({
  queryKey: ['admin', 'users', 'services'],
  queryFn: async ({ signal }) => {
    const { items, ...first } = await api.getPage<AdminUser>(SERVICES, signal);
    for (let cursor = first.nextCursor; cursor !== null;) {
      const page = await api.getPage<AdminUser>(`${SERVICES}&before=${encodeURIComponent(cursor)}`, signal);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  },
  staleTime: 0,
});

/** The list of the page, and the own list, which shows the limits too. */
function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['admin', 'keys'] });
  void queryClient.invalidateQueries({ queryKey: ['api-key'] });
}

export function useCreateServiceKey() {
  return useSingleFlightMutation({
    mutationFn: ({ userId, ...request }: CreateServiceKeyRequest & { userId: string }) =>
      api.post<CreatedApiKey>(`/api/admin/users/${userId}/keys`, request),
    onSuccess: refresh,
    onError: fail('keys.createError'),
    // The cache does not keep the whole key after its dialog.
    gcTime: 0,
  });
}

export function useLimitKey(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (limits: LimitKeyRequest) => api.patch<AdminApiKey>(`${PATH}/${id}`, limits),
    onSuccess: succeed('adminKeys.limited', onDone),
    onError: fail('keys.saveError'),
    onSettled: refresh,
  });
}

export function useEndKey(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${PATH}/${id}`),
    onSuccess: succeed('keys.deleted', onDone),
    onError: fail('keys.deleteError'),
    onSettled: refresh,
  });
}
