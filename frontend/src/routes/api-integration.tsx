import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { ApiIntegrationPage } from '../features/api-integration/api-integration-page';

export const Route = createFileRoute('/api-integration')({
  component: () => (
    <SignedInOnly>
      <ApiIntegrationPage />
    </SignedInOnly>
  ),
});
