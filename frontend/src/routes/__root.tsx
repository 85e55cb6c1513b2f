import { createRootRoute } from '@tanstack/react-router';
import { AppFrame } from '../features/sidebar/app-frame';
import { NotFoundPage } from '../components/not-found-page';
import { PageError } from '../components/page-error';

export const Route = createRootRoute({
  component: AppFrame,
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
});
