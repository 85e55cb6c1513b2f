import { createRootRoute, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { NotFoundPage } from '../components/not-found-page';
import { PageError } from '../components/page-error';
import { AppFrame } from '../features/sidebar/app-frame';
import { AppDialogs } from './-app-dialogs';

const Toaster = lazy(() => import('../components/toaster').then(({ Toaster }) => ({ default: Toaster })));

export const Route = createRootRoute({
  component: () => (
    <>
      <AppFrame>
        <Outlet />
      </AppFrame>
      <AppDialogs />
      <Suspense>
        <Toaster />
      </Suspense>
    </>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
});
