import { useQuery } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { type ReactNode, Suspense, useState } from 'react';
import { currentUserQuery } from '../app/queries/user.query';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';

const Enrollment = lazyWithPreload(() => import('../features/auth/totp/enrollment'));

/** Shows the enrolment of a second factor in place of the app to an account that must have one. */
export function EnrollmentGate({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const [enrollingId, setEnrollingId] = useState<User['id'] | null>(null);
  const isEnrolling = user?.id === enrollingId;
  return (
    <>
      {!isEnrolling && children}
      <Suspense>{user && <Enrollment user={user} isEnrolling={isEnrolling} onChange={setEnrollingId} />}</Suspense>
    </>
  );
}
