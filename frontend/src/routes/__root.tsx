import { createRootRoute, Outlet } from '@tanstack/react-router';
import { isSharePage } from '../app/browser/share-page';
import { NotFoundPage } from '../components/layout/not-found-page';
import { Notices } from './-notices';
import { PageError } from '../components/feedback/page-error';
import { useDocumentTitle } from '../components/layout/use-page-title';
import { AppFrame } from '../features/sidebar/app-frame';
import { EnrollmentGate } from './-enrollment-gate';
import { AppDialogs } from './-app-dialogs';

export const Route = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
});

function Root() {
  useDocumentTitle();
  return (
    <>
      {isSharePage() ? (
        <Outlet />
      ) : (
        <EnrollmentGate>
          <AppFrame>
            <Outlet />
          </AppFrame>
          <AppDialogs />
        </EnrollmentGate>
      )}
      <Notices />
    </>
  );
}
