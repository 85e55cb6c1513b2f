import { createRouter } from '@tanstack/react-router';
import { PageError } from '../components/feedback/page-error';
import { routeTree } from './route-tree.gen';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // In the place of the page alone: what stays while pages change is not touched.
  defaultErrorComponent: PageError,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
