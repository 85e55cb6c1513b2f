import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { ResetPasswordPage } from '../features/auth/reset-password-page';

export const Route = createFileRoute('/reset-password')({
  component: function ResetPasswordRoute() {
    // Not from the router, which parses values as JSON: a token of digits would become a number.
    const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
    return <ResetPasswordPage token={token} />;
  },
});
