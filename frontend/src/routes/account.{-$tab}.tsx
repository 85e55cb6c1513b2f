import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { NotFoundPage } from '../components/layout/not-found-page';
import { loadLateParts } from '../components/lazy/load-late';
import { AccountPage } from '../features/auth/account/account-page';
import { ACCOUNT_TABS } from '../features/auth/account/account-tabs';

export const Route = createFileRoute('/account/{-$tab}')({
  loader: () => loadLateParts(),
  component: function AccountRoute() {
    const { tab = 'general' } = Route.useParams();
    const known = ACCOUNT_TABS.find((name) => name === tab);
    if (known === undefined) return <NotFoundPage />;
    return (
      <SignedInOnly>
        <AccountPage tab={known} />
      </SignedInOnly>
    );
  },
});
