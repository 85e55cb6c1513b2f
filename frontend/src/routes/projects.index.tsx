import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { loadLateParts } from '../components/lazy/load-late';
import { ProjectsPage } from '../features/projects/projects-page';

export const Route = createFileRoute('/projects/')({
  loader: () => loadLateParts(),
  component: () => (
    <SignedInOnly>
      <ProjectsPage />
    </SignedInOnly>
  ),
});
