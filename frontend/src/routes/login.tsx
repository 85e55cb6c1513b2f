import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { loadLateParts } from '../components/lazy/load-late';
import { LoginPage, readLoginSearch } from '../features/auth/oidc/login-page';

export const Route = createFileRoute('/login')({
  loader: () => loadLateParts(),
  component: function LoginRoute() {
    const [search] = useState(() => readLoginSearch(window.location.search));
    return <LoginPage search={search} />;
  },
});
