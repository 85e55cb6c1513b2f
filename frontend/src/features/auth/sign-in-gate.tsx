import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';

const SignInPage = lazyWithPreload(() => import('./sign-in-page'));

/** Shows the login in place of the app to a visitor while guests are off. */
export function SignInGate({ children }: { children: ReactNode }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  const { data: settings } = useQuery(settingsQuery);
  // Without a connection the session is unknown, and the app shows what was kept for reading.
  if (settings?.guestsEnabled !== false || user || (user !== null && !isPending)) return children;
  return <Suspense>{!isPending && <SignInPage />}</Suspense>;
}
