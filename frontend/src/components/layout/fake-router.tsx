import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

interface FakeRouterProps {
  path?: string;
  history?: RouterHistory;
  children: ReactNode;
}

/** A router for tests of parts that link or navigate. It renders its children at every address. */
export function FakeRouter({ path = '/', history, children }: FakeRouterProps) {
  const [router] = useState(() =>
    createRouter({
      routeTree: createRootRoute(),
      history: history ?? createMemoryHistory({ initialEntries: [path] }),
    }),
  );
  return <RouterContextProvider router={router as never}>{children}</RouterContextProvider>;
}
