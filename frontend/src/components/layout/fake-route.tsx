import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../../app/queries/query-client';
import { FakeTheme } from './fake-theme';

/** The page of a router, for tests of parts that read the parameters of the address. The children never change. */
export function FakeRoute({ path = '/', children }: { path?: string; children: ReactNode }) {
  const [router] = useState(() =>
    createRouter({
      routeTree: createRootRoute({ component: () => children }),
      history: createMemoryHistory({ initialEntries: [path] }),
    }),
  );
  return (
    <FakeTheme>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </FakeTheme>
  );
}
