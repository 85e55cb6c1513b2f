import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { loadLateParts } from '../components/lazy/load-late';
import { ConfirmEmailPage } from '../features/auth/confirm-email-page';
import { InvitationPage } from '../features/auth/invitation-page';

export const Route = createFileRoute('/register')({
  loader: () => loadLateParts(),
  component: function RegisterRoute() {
    // Not from the router, which parses values as JSON: a token of digits would become a number.
    const [search] = useState(() => new URLSearchParams(window.location.search));
    const confirmation = search.get('confirm');
    if (confirmation !== null) return <ConfirmEmailPage token={confirmation} />;
    return <InvitationPage token={search.get('invitation') ?? undefined} />;
  },
});
