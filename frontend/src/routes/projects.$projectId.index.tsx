import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { loadLateParts } from '../components/lazy/load-late';
import { ProjectPage } from '../features/projects/project-page';

export const Route = createFileRoute('/projects/$projectId/')({
  loader: () => loadLateParts(),
  component: function ProjectRoute() {
    const { projectId } = Route.useParams();
    return (
      <SignedInOnly>
        <ProjectPage key={projectId} id={Number(projectId)} />
      </SignedInOnly>
    );
  },
});
