import { useQuery } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { Suspense, useEffect } from 'react';
import { settingsQuery } from '../../../app/queries/settings.query';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { mustEnrollTotp } from '../../../app/session/totp-required';

const EnrollmentPage = lazyWithPreload(() => import('./enrollment-page'));

interface EnrollmentProps {
  user: User;
  isEnrolling: boolean;
  /** Called with the id of the account that enrols; null at the end of the enrolment. */
  onChange: (enrollingId: User['id'] | null) => void;
}

/**
 * Starts the enrolment of an account that must have a second factor or a new password. The enrolment page ends it, so that the page stays
 * after the activation until its recovery codes are saved.
 */
export default function Enrollment({ user, isEnrolling, onChange }: EnrollmentProps) {
  const { data: settings } = useQuery(settingsQuery);
  const isDue = user.mustChangePassword || mustEnrollTotp(user, settings);
  useEffect(() => {
    if (isDue) onChange(user.id);
  }, [isDue, user.id, onChange]);
  return <Suspense>{isEnrolling && <EnrollmentPage user={user} onChange={onChange} />}</Suspense>;
}
