import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { loadLateParts } from '../components/lazy/load-late';
import { OwnUsagePage } from '../features/usage/own-usage-page';

export const Route = createFileRoute('/usage')({
  loader: () => loadLateParts('admin'),
  component: () => (
    <SignedInOnly>
      <OwnUsagePage />
    </SignedInOnly>
  ),
});
