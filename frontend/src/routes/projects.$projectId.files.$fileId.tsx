import { createFileRoute } from '@tanstack/react-router';
import { SignedInOnly } from '../components/layout/guards';
import { loadLateParts } from '../components/lazy/load-late';
import { DocumentPage } from '../features/projects/document-page';

export const Route = createFileRoute('/projects/$projectId/files/$fileId')({
  loader: () => loadLateParts(),
  component: function DocumentRoute() {
    const { projectId, fileId } = Route.useParams();
    const { section }: { section?: unknown } = Route.useSearch();
    return (
      <SignedInOnly>
        <DocumentPage key={fileId} projectId={Number(projectId)} fileId={fileId} section={Number(section) || 0} />
      </SignedInOnly>
    );
  },
});
