import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from '../api/api-error';

/** A refusal for want of a session means that the one this page knew is over: who is signed in is asked again. */
function noticeLostSession(error: unknown): void {
  if (hasCode(error, 'unauthenticated')) void queryClient.invalidateQueries({ queryKey: ['user'] });
}

/** What was read stays true until an event says otherwise (live-updates.ts); nothing polls, retries or refetches on focus. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLostSession }),
  mutationCache: new MutationCache({ onError: noticeLostSession }),
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
