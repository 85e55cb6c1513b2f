import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isSharePage } from '../app/browser/share-page';
import { NotFoundPage } from '../components/layout/not-found-page';
import { PageError } from '../components/feedback/page-error';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';
import { useWhenIdle } from '../components/lazy/use-when-idle';
import { useDocumentTitle } from '../components/layout/use-page-title';
import { AppFrame } from '../features/sidebar/app-frame';
import { EnrollmentGate } from './-enrollment-gate';
import { SignInGate } from '../features/auth/sign-in-gate';
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
          <SignInGate>
            <AppFrame>
              <Outlet />
            </AppFrame>
            <AppDialogs />
          </SignInGate>
        </EnrollmentGate>
      )}
      <Notices />
    </>
  );
}

const RENDER_TIMEOUT_MS = 2_000;

const Toaster = lazyWithPreload(async () => ({ default: (await import('../components/feedback/toaster')).Toaster }));

/**
 * The region for notices, rendered while the page is idle. Screen readers announce a notice only if its region existed
 * before, so the region should precede the first notice.
 */
function Notices() {
  const isDue = useWhenIdle(Toaster.preload, RENDER_TIMEOUT_MS);
  return <Suspense>{isDue && <Toaster />}</Suspense>;
}
