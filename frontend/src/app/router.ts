import { createRouter } from '@tanstack/react-router';
import { PageError } from '../components/feedback/page-error';
import { routeTree } from './route-tree.gen';

export type AppRouter = ReturnType<typeof createAppRouter>;

/** Compiles the routes and reads the address. Call once. */
export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    // Replaces the page only; the frame around it stays.
    defaultErrorComponent: PageError,
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface HistoryState {
    /** The page that a guest was redirected from; a login returns to it. */
    returnTo?: string;
  }
}
