import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from '../api/api-error';

/** Reads the session again after an `unauthenticated` refusal, because the session of this page has ended. */
function refreshLostSession(error: unknown): void {
  if (hasCode(error, 'unauthenticated')) void queryClient.invalidateQueries({ queryKey: ['user'] });
}

/** Cached data stays valid until an event invalidates it (live-updates.ts); nothing polls, retries or refetches on focus. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refreshLostSession }),
  mutationCache: new MutationCache({ onError: refreshLostSession }),
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
      staleTime: Infinity,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
