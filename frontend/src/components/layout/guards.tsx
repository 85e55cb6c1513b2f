import { Center, Spinner } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { currentUserQuery } from '../../app/queries/user.query';
import { PageError } from '../feedback/page-error';

interface GuardProps {
  children: ReactNode;
}

/** Renders its children for signed-in users and redirects guests to the home page. */
export function SignedInOnly({ children }: GuardProps) {
  const { data: user, isPending, isLoadingError, error, refetch } = useQuery(currentUserQuery);
  if (isPending) return <Waiting label="Loading" />;
  if (isLoadingError) return <PageError error={error} retry={() => void refetch()} />;
  return user ? children : <Navigate to="/" replace />;
}

/** Renders its children for admins and redirects other users to the home page. */
export function AdminOnly({ children }: GuardProps) {
  const { data: user, isPending, isLoadingError, error, refetch } = useQuery(currentUserQuery);
  if (isPending) return <Waiting label="Loading..." shown />;
  if (isLoadingError) return <PageError error={error} retry={() => void refetch()} />;
  return user?.isAdmin ? children : <Navigate to="/" replace />;
}

function Waiting({ label, shown = false }: { label: string; shown?: boolean }) {
  return (
    <Center as="main" height="100%" gap="3" color="fg.muted" role="status" aria-label={label}>
      <Spinner size="sm" aria-hidden />
      {shown && <span>{label}</span>}
    </Center>
  );
}
