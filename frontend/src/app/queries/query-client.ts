import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from '../api/api-error';
import { QUERY_KEYS } from './query-keys';

/** Reads the session again after an `unauthenticated` refusal, because the session of this page has ended. */
function refreshLostSession(error: unknown): void {
  if (hasCode(error, 'unauthenticated')) void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.user });
}

class AppQueryClient extends QueryClient {
  /**
   * Starts also a first read anew that is under way. It may have begun before the change that the caller knows of, and React
   * Query would take its answer for that of a read after the change.
   */
  override refetchQueries(...[filters, options]: Parameters<QueryClient['refetchQueries']>): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters))
      if (query.state.data === undefined && query.isActive()) void query.cancel({ silent: true });
    return super.refetchQueries(filters, options);
  }
}

/** Cached data stays valid until an event invalidates it (live-updates.ts); nothing polls, retries or refetches on focus. */
export const queryClient: QueryClient = new AppQueryClient({
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
