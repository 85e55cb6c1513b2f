import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { NotFoundPage } from '../components/layout/not-found-page';
import { loadLateParts } from '../components/lazy/load-late';
import { DocumentPage } from '../features/projects/document-page';
import { ProjectPage } from '../features/projects/project-page';
import { ProjectsPage } from '../features/projects/projects-page';
import { useProjectUpdates } from '../features/projects/use-project-updates';

/** `/projects`, `/projects/12` and `/projects/12/files/…`: one route, because each takes room in the first JavaScript. */
export const Route = createFileRoute('/projects/{-$project}/{-$files}/{-$file}')({
  loader: () => loadLateParts(),
  component: function ProjectRoute() {
    useProjectUpdates();
    const { project, files, file } = Route.useParams();
    const { section, start, quote }: Record<string, unknown> = Route.useSearch();
    if (files !== undefined && (files !== 'files' || file === undefined)) return <NotFoundPage />;
    return (
      <SignedInOnly>
        {project === undefined ? (
          <ProjectsPage />
        ) : file === undefined ? (
          <ProjectPage key={project} id={Number(project)} />
        ) : (
          <DocumentPage
            key={file}
            projectId={Number(project)}
            fileId={file}
            section={indexOf(section)}
            start={indexOf(start)}
            quote={textOf(quote)}
          />
        )}
      </SignedInOnly>
    );
  },
});

const indexOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** A value of the address as it was written: the router reads a number in it. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
