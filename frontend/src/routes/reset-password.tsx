import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { loadLateParts } from '../components/lazy/load-late';
import { ResetPasswordPage } from '../features/auth/reset-password-page';

export const Route = createFileRoute('/reset-password')({
  loader: () => loadLateParts(),
  component: function ResetPasswordRoute() {
    // Not from the router, which parses values as JSON: a token of digits would become a number.
    const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
    return <ResetPasswordPage token={token} />;
  },
});
