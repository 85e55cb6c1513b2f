import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { loadLateParts } from '../components/lazy/load-late';
import { InvitationPage } from '../features/auth/invitation-page';

export const Route = createFileRoute('/register')({
  loader: () => loadLateParts(),
  component: function RegisterRoute() {
    // Not from the router, which parses values as JSON: a token of digits would become a number.
    const [token] = useState(() => new URLSearchParams(window.location.search).get('invitation') ?? undefined);
    return <InvitationPage token={token} />;
  },
});
