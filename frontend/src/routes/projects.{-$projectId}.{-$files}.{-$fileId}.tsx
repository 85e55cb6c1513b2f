import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { NotFoundPage } from '../components/layout/not-found-page';
import { loadLateParts } from '../components/lazy/load-late';
import { DocumentPage } from '../features/projects/document-page';
import { ProjectPage } from '../features/projects/project-page';
import { ProjectsPage } from '../features/projects/projects-page';

/** `/projects`, `/projects/12` and `/projects/12/files/…`: one route, because each takes room in the first JavaScript. */
export const Route = createFileRoute('/projects/{-$projectId}/{-$files}/{-$fileId}')({
  loader: () => loadLateParts(),
  component: function ProjectRoute() {
    const { projectId, files, fileId } = Route.useParams();
    const { section }: { section?: unknown } = Route.useSearch();
    if (files !== undefined && (files !== 'files' || fileId === undefined)) return <NotFoundPage />;
    return (
      <SignedInOnly>
        {projectId === undefined ? (
          <ProjectsPage />
        ) : fileId === undefined ? (
          <ProjectPage key={projectId} id={Number(projectId)} />
        ) : (
          <DocumentPage key={fileId} projectId={Number(projectId)} fileId={fileId} section={Number(section) || 0} />
        )}
      </SignedInOnly>
    );
  },
});
