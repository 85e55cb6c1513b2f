import { createRootRoute, Outlet } from '@tanstack/react-router';
import { NotFoundPage } from '../components/not-found-page';
import { Notices } from '../components/notices';
import { PageError } from '../components/page-error';
import { AppFrame } from '../features/sidebar/app-frame';
import { AppDialogs } from './-app-dialogs';

export const Route = createRootRoute({
  component: () => (
    <>
      <AppFrame>
        <Outlet />
      </AppFrame>
      <AppDialogs />
      <Notices />
    </>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
});
