import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { loadLateParts } from '../components/lazy/load-late';
import { ApiIntegrationPage } from '../features/api-integration/api-integration-page';

export const Route = createFileRoute('/api-integration')({
  loader: () => loadLateParts('admin'),
  component: () => (
    <SignedInOnly>
      <ApiIntegrationPage />
    </SignedInOnly>
  ),
});
