import { createFileRoute } from '@tanstack/react-router';
import { loadLateRecipes } from '../app/theme/theme';
import { SignedInOnly } from '../components/layout/guards';
import { ApiIntegrationPage } from '../features/api-integration/api-integration-page';

export const Route = createFileRoute('/api-integration')({
  loader: () => loadLateRecipes(),
  component: () => (
    <SignedInOnly>
      <ApiIntegrationPage />
    </SignedInOnly>
  ),
});
