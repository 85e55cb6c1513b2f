import { QueryClient } from '@tanstack/react-query';

/** What was read stays true until an event says otherwise (live-updates.ts); nothing polls, retries or refetches on focus. */
export const queryClient = new QueryClient({
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
