import { Center, Spinner } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from '@tanstack/react-router';
import type { User } from '@tanya/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { currentUserQuery } from '../../app/queries/user.query';
import { notify } from '../feedback/notify';
import { PageError } from '../feedback/page-error';

interface GuardProps {
  children: ReactNode;
}

export function SignedInOnly({ children }: GuardProps) {
  const { data: user, isPending, isLoadingError, error, refetch } = useQuery(currentUserQuery);
  const hadUser = useHadUser(user);
  if (isPending) return <Waiting label={t('page.loading')} />;
  if (isLoadingError) return <PageError error={error} retry={() => void refetch()} />;
  return user ? children : <SignInFirst quiet={hadUser} />;
}

export function AdminOnly({ children }: GuardProps) {
  const { data: user, isPending, isLoadingError, error, refetch } = useQuery(currentUserQuery);
  const hadUser = useHadUser(user);
  if (isPending) return <Waiting label={t('page.loadingLong')} shown />;
  if (isLoadingError) return <PageError error={error} retry={() => void refetch()} />;
  if (!user) return <SignInFirst quiet={hadUser} />;
  return user.isAdmin ? children : <Navigate to="/" replace />;
}

/** Redirects a guest to the home page, which returns here after a login. `quiet` when another notice gives the reason. */
function SignInFirst({ quiet }: { quiet: boolean }) {
  const href = useLocation({ select: (location) => location.href });
  // Read once: the location changes before this component unmounts.
  const [returnTo] = useState(href);
  useEffect(() => {
    if (!quiet) notify({ title: t('page.loginFirst'), kind: 'info' });
  }, [quiet]);
  return <Navigate to="/" replace state={{ returnTo }} />;
}

/** Whether the guard has shown its page to a user before: a lost session has its own notice. */
function useHadUser(user: User | null | undefined): boolean {
  const [hadUser, setHadUser] = useState(false);
  if (user && !hadUser) setHadUser(true);
  return hadUser;
}

function Waiting({ label, shown = false }: { label: string; shown?: boolean }) {
  return (
    <Center as="main" height="100%" gap="3" color="fg.muted" role="status" aria-label={label}>
      <Spinner size="sm" aria-hidden />
      {shown && <span>{label}</span>}
    </Center>
  );
}
