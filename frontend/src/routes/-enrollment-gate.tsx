import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { settingsQuery } from '../app/queries/settings.query';
import { isTotpRequired } from '../app/queries/totp-required';
import { currentUserQuery } from '../app/queries/user.query';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';

const EnrollmentPage = lazyWithPreload(() => import('../features/auth/totp/enrollment-page'));

/** Shows the enrolment of a second factor in place of the app to an account that must have one. */
export function EnrollmentGate({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const { data: settings } = useQuery(settingsQuery);
  // The page stays after the activation, until its recovery codes are saved.
  const [isEnrolling, setEnrolling] = useState(false);
  const end = useCallback(() => setEnrolling(false), []);
  const isDue = Boolean(user && !user.hasTotp && isTotpRequired(user, settings));
  if (isDue && !isEnrolling) setEnrolling(true);
  if (!user || !isEnrolling) return children;
  return (
    <Suspense>
      <EnrollmentPage user={user} onDone={end} />
    </Suspense>
  );
}
